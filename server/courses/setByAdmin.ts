import { type RawBuilder, sql } from "kysely";

// What admins have decided about completions (table `completion_decisions` of the domain `completions`), for the lists
// and the player, which show and respect it

/** SQL: the course has not opened again for a renewal since a `decision`; `at`: as of a time. */
export const isOfCycle = (at: RawBuilder<unknown> = sql`'infinity'`) =>
  sql<boolean>`not exists (
    select from enrolment_cycles
    where enrolment_cycles.enrolment_id = decision.enrolment_id
      and enrolment_cycles.closed_at >= decision.made_at
      and enrolment_cycles.closed_at < ${at}
  )`;

/** SQL: the completion of this enrolment stands because an admin set it; `at`: as of a time. */
export const isSetByAdmin = (enrolmentId: RawBuilder<unknown>, at?: RawBuilder<unknown>) =>
  sql<boolean>`exists (
    select from completion_decisions decision
    where decision.enrolment_id = ${enrolmentId}
      and decision.kind = 'set'
      and ${
        at
          ? sql`decision.made_at < ${at} and coalesce(decision.ended_at >= ${at}, true)`
          : sql`decision.ended_at is null`
      }
      and ${isOfCycle(at)}
  )`;

/** SQL: an admin has started the course over since this row of `attempts`. */
export const isStartedOver = sql<boolean>`exists (
    select from completion_decisions decision
    join attempts newer on newer.id = decision.attempt_id
    where decision.enrolment_id = attempts.enrolment_id
      and decision.kind = 'restarted'
      and decision.undone_at is null
      and newer.no > attempts.no
  )`;

/** SQL: when an admin last took the completion of this row of `attempts` back; null if that was undone. */
export const takenBackAt = sql<string | null>`(
    select max(decision.made_at)
    from completion_decisions decision
    where decision.enrolment_id = attempts.enrolment_id
      and decision.kind = 'reopened'
      and decision.undone_at is null
      and decision.before -> 'completed' @> jsonb_build_array(jsonb_build_object('id', attempts.id))
  )`;

/** SQL: an attempt of the present cycle of a row of `enrolments` stands for a completion from elsewhere. */
export const isCompletedElsewhere = sql<boolean>`exists (
    select from attempts
    join external_completions on external_completions.attempt_id = attempts.id
    where attempts.enrolment_id = enrolments.id
      and attempts.no >= enrolments.first_attempt
      and external_completions.ended_at is null
  )`;

/** SQL: the completion of this row of `attempts` stands because an admin set it. */
export const isAttemptSetByAdmin = sql<boolean>`exists (
    select from completion_decisions decision
    where decision.attempt_id = attempts.id
      and decision.kind = 'set'
      and decision.ended_at is null
  )`;
