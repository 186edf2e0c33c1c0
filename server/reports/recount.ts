import { type RawBuilder, sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";

// Reports read active times and a history of outcomes that are stored when they change. Here both are compared with the
// sessions, enrolments and parts that they derive from

export type LearningDifference = { what: string; id: string; stored: string; recounted: string };

/** The most differences of one kind that are returned. */
const MAX_LISTED = 1000;

/**
 * One kind of stored values: `differing` selects `id`, `stored` and `recounted` of those that differ, `repair` changes
 * them from these rows, the CTE `differing`.
 */
type Check = { what: string; differing: RawBuilder<unknown>; repair: RawBuilder<unknown> };

const attemptSeconds: Check = {
  what: "active seconds of attempt",
  differing: sql`
    select
      attempts.id,
      attempts.rev,
      attempts.active_seconds as stored,
      sum(sessions.active_ms / 1000)::int as recounted
    from attempts
    join sessions on sessions.attempt_id = attempts.id
    where attempts.user_id is not null
    group by attempts.id
    having attempts.active_seconds <> sum(sessions.active_ms / 1000)`,
  // With a new revision, a session in memory is read again before its next commit.
  repair: sql`
    update attempts
    set active_seconds = differing.recounted,
      rev = attempts.rev + 1
    from differing
    where attempts.id = differing.id
      and attempts.rev = differing.rev`,
};
const enrolmentSeconds: Check = {
  what: "active seconds of enrolment",
  differing: sql`
    select
      enrolments.id,
      enrolments.active_seconds as stored,
      sum(attempts.active_seconds)::int as recounted
    from enrolments
    join attempts on attempts.enrolment_id = enrolments.id and not attempts.preview
    where enrolments.user_id is not null
    group by enrolments.id
    having enrolments.active_seconds <> sum(attempts.active_seconds)`,
  repair: sql`
    update enrolments
    set active_seconds = differing.recounted
    from differing
    where enrolments.id = differing.id
      and enrolments.active_seconds = differing.stored`,
};

const outcomeOf = (row: string) =>
  sql.raw(`concat_ws(', ', ${row}.status, ${row}.success, ${row}.score_percent, ${row}.due_date)`);
const history: Check = {
  what: "last outcome in the history of enrolment",
  differing: sql`
    select
      enrolments.id,
      ${outcomeOf("history")} as stored,
      ${outcomeOf("enrolments")} as recounted,
      history.attempt_no,
      history.version_id
    from enrolments
    left join lateral (
      select *
      from enrolment_history
      where enrolment_id = enrolments.id
      order by id desc
      limit 1
    ) history on true
    where enrolments.user_id is not null
      and (history.id is null or ${outcomeOf("history")} <> ${outcomeOf("enrolments")})`,
  // Issued reports stay as they are: the correction counts from now on.
  repair: sql`
    insert into enrolment_history (
      enrolment_id, person_id, company_id, course_id, cycle, source, change,
      status, success, score_percent, due_date, attempt_no, version_id,
      assigned_at, first_started_at, completed_at, happened_at, recorded_at
    )
    select
      enrolments.id, enrolments.user_id, enrolments.company_id, enrolments.course_id,
      enrolments.cycle, enrolments.source, 'result',
      enrolments.status, enrolments.success, enrolments.score_percent,
      enrolments.due_date, differing.attempt_no, differing.version_id,
      enrolments.assigned_at, enrolments.first_started_at, enrolments.completed_at, now(), clock_timestamp()
    from differing
    join enrolments on enrolments.id = differing.id`,
};

const partName = sql`attempts.no || '/' || part.place || ':'`;
const partOutcome = sql`part_outcome(part.is_sco, part_states.completion, part_states.success)`;
const parts: Check = {
  what: "last state of a part in the history of enrolment",
  differing: sql`
    select
      attempts.enrolment_id as id,
      attempts.no,
      part.place,
      part_states.score_percent,
      concat_ws(' ', ${partName}, history.state) as stored,
      concat_ws(' ', ${partName}, ${partOutcome}) as recounted,
      ${partOutcome} as state
    from attempts
    join part_states on part_states.attempt_id = attempts.id
    join lateral parts_in_order(attempts.version_id) part on part.sco = part_states.sco
    left join lateral (
      select state
      from part_history
      where enrolment_id = attempts.enrolment_id
        and attempt_no = attempts.no
        and position = part.place
      order by id desc
      limit 1
    ) history on true
    where attempts.user_id is not null
      and attempts.enrolment_id is not null
      and not attempts.preview
      and history.state is distinct from ${partOutcome}`,
  repair: sql`
    insert into part_history (enrolment_id, attempt_no, position, state, score_percent, recorded_at)
    select id, no, place, state, score_percent, clock_timestamp()
    from differing`,
};

/**
 * Compares active times with the sessions, and the last rows of the history with enrolments and parts, and repairs what
 * differs. Returns the differences, at most 1000 of a kind. There are none unless the database was changed by hand or
 * the product has a bug.
 */
export async function recountLearning(db: Db): Promise<LearningDifference[]> {
  const differences: LearningDifference[] = [];
  // Attempts come first: the time of an enrolment is that of its attempts.
  for (const { what, differing, repair } of [attemptSeconds, enrolmentSeconds, history, parts]) {
    const { rows } = await inTransaction(db, (tx) =>
      sql<Omit<LearningDifference, "what">>`
        with differing as materialized (${differing}),
        repaired as (${repair})
        select id, stored::text, recounted::text
        from differing
        order by id
        limit ${MAX_LISTED}`.execute(tx),
    );
    differences.push(
      ...rows.map((row) => ({ what, ...row, stored: row.stored ?? "", recounted: row.recounted ?? "" })),
    );
  }
  return differences;
}
