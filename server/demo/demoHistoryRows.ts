import { sql } from "kysely";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import type { ClosedQuiz } from "#shared/lessons/quizState.ts";

// Moves the append-only history of the demo into the past, so that its reports can be computed as of earlier days.

const rewrite = ({ db }: Services, work: (tx: Tx) => Promise<void>) =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    await work(tx);
  });

/** Backdates the rows of the last visit of an attempt: the attempt to its start, results and counters to its end. */
export const backdateVisit = (services: Services, attemptId: string, start: string, end: string) =>
  rewrite(services, async (tx) => {
    const ofAttempt = sql`(select enrolment_id from attempts where id = ${attemptId})`;
    const isNew = sql`recorded_at > now() - interval '1 minute'`;
    await sql`
      update enrolment_history
      set happened_at = at, recorded_at = at
      from (values (true, ${start}::timestamptz), (false, ${end}::timestamptz)) as times (is_attempt, at)
      where enrolment_id = ${ofAttempt}
        and ${isNew}
        and change <> 'assigned'
        and is_attempt = (change = 'attempt')`.execute(tx);
    for (const table of ["enrolment_activity", "part_history"])
      await sql`
        update ${sql.table(table)}
        set recorded_at = ${end}
        where enrolment_id = ${ofAttempt}
          and ${isNew}`.execute(tx);
  });

/** Moves the attempts at quizzes of a visit from one time to another. */
export async function moveQuizzes(db: Db, attemptId: string, from: string, to: string) {
  const by = Date.parse(to) - Date.parse(from);
  const move = (time: string) => (time >= from ? new Date(Date.parse(time) + by).toISOString() : time);
  const moved = (one: ClosedQuiz) => ({ ...one, startedAt: move(one.startedAt), closedAt: move(one.closedAt) });
  const rows = await db.selectFrom("partStates").where("attemptId", "=", attemptId).select(["sco", "lesson"]).execute();
  for (const { sco, lesson } of rows) {
    if (!lesson?.quiz) continue;
    const quiz = {
      ...lesson.quiz,
      closed: lesson.quiz.closed.map(moved),
      best: lesson.quiz.best && moved(lesson.quiz.best),
    };
    await db
      .updateTable("partStates")
      .set({ lesson: JSON.stringify({ ...lesson, quiz }) })
      .where("attemptId", "=", attemptId)
      .where("sco", "=", sco)
      .execute();
  }
}

/** Backdates the history of what the demo has created to the times in its rows. */
export const backdateCreation = (services: Services) =>
  rewrite(services, async (tx) => {
    // Courses that nobody has opened were assigned some weeks ago too, but not before the learner had joined.
    await sql`
      update enrolments
      set assigned_at = least(assigned_at, greatest(users.created_at, now() - interval '24 days'))
      from users
      where users.id = enrolments.user_id
        and first_started_at is null`.execute(tx);
    await sql`
      update enrolment_history history
      set happened_at = enrolments.assigned_at, recorded_at = enrolments.assigned_at
      from enrolments
      where enrolments.id = history.enrolment_id
        and history.change = 'assigned'`.execute(tx);
    await sql`
      update enrolment_history history
      set
        assigned_at = enrolments.assigned_at,
        first_started_at = case when history.first_started_at is not null then enrolments.first_started_at end,
        completed_at = case when history.completed_at is not null then enrolments.completed_at end,
        happened_at = case
          when history.change = 'completed' then coalesce(enrolments.completed_at, history.happened_at)
          else history.happened_at
        end
      from enrolments
      where enrolments.id = history.enrolment_id`.execute(tx);
    await sql`
      update completion_history history
      set
        first_started_at = attempts.started_at,
        happened_at = attempts.completed_at,
        recorded_at = attempts.completed_at
      from attempts
      where attempts.id = history.attempt_id
        and attempts.completed_at is not null`.execute(tx);
    await sql`
      update membership_history history
      set happened_at = users.created_at, recorded_at = users.created_at
      from users
      where users.id = history.person_id
        and history.change = 'created'`.execute(tx);
    await sql`
      update company_history history
      set happened_at = companies.created_at, recorded_at = companies.created_at
      from companies
      where companies.id = history.company_id`.execute(tx);
    await sql`
      update course_history history
      set happened_at = courses.created_at, recorded_at = courses.created_at
      from courses
      where courses.id = history.course_id`.execute(tx);
  });

/** The time from an event to its arrival at the server. */
export const SENT_SECONDS = 0.4;
/** Stores one commit for each event, received when a browser would have sent it; events of the gap come at its end. */
export const spreadCommits = (
  { db }: Services,
  sessionId: string,
  start: string,
  late: { from: number; to: number } = { from: 0, to: 0 },
) =>
  sql`
    with taken as (
      delete from session_events
      where session_id = ${sessionId}
      returning events
    ),
    single as (
      select
        event,
        (event->>'seq')::int as seq,
        case
          when (event->>'t')::int between ${late.from}::int and ${late.to}::int then ${late.to}::int
          else (event->>'t')::int
        end as sent_ms
      from taken
      cross join lateral json_array_elements(events) event
    )
    insert into session_events (session_id, first_seq, last_seq, received_at, events)
    select
      ${sessionId},
      seq,
      seq,
      ${start}::timestamptz + make_interval(secs => ${SENT_SECONDS} + sent_ms / 1000.0),
      json_build_array(event)
    from single`.execute(db);
