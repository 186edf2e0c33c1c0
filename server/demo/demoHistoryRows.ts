import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";

// Moves the append-only history of the demo into the past, so that its reports can be computed as of earlier days

const rewrite = ({ db }: Services, work: (tx: Tx) => Promise<void>) =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    await work(tx);
  });

/** What the last visit of an attempt wrote: the attempt at the start, results and counters at the end of the visit. */
export const backdateVisit = (services: Services, attemptId: string, start: string, end: string) =>
  rewrite(services, async (tx) => {
    const ofAttempt = sql`(select enrolment_id from attempts where id = ${attemptId})`;
    const isNew = sql`recorded_at > now() - interval '1 minute'`;
    await sql`update enrolment_history set happened_at = at, recorded_at = at
      from (values (true, ${start}::timestamptz), (false, ${end}::timestamptz)) as times (is_attempt, at)
      where enrolment_id = ${ofAttempt} and ${isNew} and change <> 'assigned' and is_attempt = (change = 'attempt')`.execute(
      tx,
    );
    for (const table of ["enrolment_activity", "part_history"])
      await sql`update ${sql.table(table)} set recorded_at = ${end} where enrolment_id = ${ofAttempt} and ${isNew}`.execute(
        tx,
      );
  });

/** What the demo created, at the times that its rows say. */
export const backdateCreation = (services: Services) =>
  rewrite(services, async (tx) => {
    // What nobody has opened yet was assigned some weeks ago too, but not before the learner had joined.
    await sql`update enrolments set assigned_at = least(assigned_at, greatest(users.created_at, now() - interval '24 days'))
      from users where users.id = enrolments.user_id and first_started_at is null`.execute(tx);
    await sql`update enrolment_history h set happened_at = e.assigned_at, recorded_at = e.assigned_at
      from enrolments e where e.id = h.enrolment_id and change = 'assigned'`.execute(tx);
    await sql`update enrolment_history h set assigned_at = e.assigned_at,
      first_started_at = case when h.first_started_at is not null then e.first_started_at end,
      completed_at = case when h.completed_at is not null then e.completed_at end,
      happened_at = case when h.change = 'completed' then coalesce(e.completed_at, h.happened_at) else h.happened_at end
      from enrolments e where e.id = h.enrolment_id`.execute(tx);
    await sql`update membership_history h set happened_at = created_at, recorded_at = created_at
      from users where users.id = h.person_id and change = 'created'`.execute(tx);
    await sql`update company_history h set happened_at = created_at, recorded_at = created_at
      from companies where companies.id = h.company_id`.execute(tx);
    await sql`update course_history h set happened_at = created_at, recorded_at = created_at
      from courses where courses.id = h.course_id`.execute(tx);
  });

/**
 * One commit for each event, received when its browser would have sent it: what was held up in the gap came at its end.
 */
export const spreadCommits = (
  { db }: Services,
  sessionId: string,
  start: string,
  late: { from: number; to: number } = { from: 0, to: 0 },
) =>
  sql`with taken as (delete from session_events where session_id = ${sessionId} returning events)
    insert into session_events (session_id, first_seq, last_seq, received_at, events)
    select ${sessionId}, (event->>'seq')::int, (event->>'seq')::int,
      ${start}::timestamptz + make_interval(secs => (0.4 + case when (event->>'t')::int between ${late.from}::int and ${late.to}::int
        then ${late.to}::int else (event->>'t')::int end / 1000.0)),
      json_build_array(event)
    from taken cross join lateral json_array_elements(events) event`.execute(db);
