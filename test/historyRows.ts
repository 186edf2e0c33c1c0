import { sql } from "kysely";
import { type Db, inTransaction } from "#server/core/database/db.ts";

// Reads the append-only history as reports will: slow and obvious

export type EnrolmentRow = {
  change: string;
  personId: string;
  companyId: string;
  status: string;
  success: string;
  scorePercent: number | null;
  dueDate: string | null;
  attemptNo: number | null;
  versionId: string | null;
  actorId: string | null;
  reason: string | null;
  happenedAt: string;
  recordedAt: string;
};

/** The rows of a learner's enrolment in a course, or in all, in their order. */
export const enrolmentRows = async (db: Db, personId: string, courseId?: string) =>
  (
    await sql<EnrolmentRow>`select * from enrolment_history where person_id = ${personId}
      and (${courseId ?? null}::uuid is null or course_id = ${courseId ?? null}) order by id`.execute(db)
  ).rows;

export type OtherRow = {
  change: string;
  status: string;
  role: string;
  companyId: string | null;
  actorId: string | null;
  reason: string | null;
};
export const membershipRows = async (db: Db, personId: string) =>
  (await sql<OtherRow>`select * from membership_history where person_id = ${personId} order by id`.execute(db)).rows;

/** The last moment of the current quarter of an hour, `days` days ago: a report is computed as of such a time. */
export const endOfQuarter = async (db: Db, days = 0) =>
  (
    await sql<{ at: string }>`select date_bin('15 minutes', now(), '2000-01-01') + interval '15 minutes'
      - make_interval(days => ${days}) as at`.execute(db)
  ).rows[0]?.at as string;

const figures = sql`company_id, course_id, count(*)::int as enrolments,
  count(*) filter (where status = 'completed')::int as completed, count(*) filter (where status = 'withdrawn')::int as withdrawn,
  count(*) filter (where success = 'passed')::int as passed, count(*) filter (where is_overdue(due_date, 'UTC', status))::int as overdue,
  min(due_date)::text as due, sum(score_percent)::text as scores, sum(active_seconds)::int as seconds, sum(progress)::text as progress,
  count(version)::int as versions`;

/** The figures of a report on every company and course, from the tables as they are. */
export async function readFigures(db: Db) {
  const { rows } = await sql`select ${figures} from (
      select e.*, (select version_id from attempts a where a.enrolment_id = e.id order by no desc limit 1) as version
      from enrolments e) now group by 1, 2 order by 1, 2`.execute(db);
  const members =
    await sql`select company_id, role, status, count(*)::int as n from users group by 1, 2, 3 order by 1, 2, 3`.execute(
      db,
    );
  const companies = await sql`select id, status, timezone from companies order by 1`.execute(db);
  const courses = await sql`select id, status, live_version_id from courses order by 1`.execute(db);
  return { rows, members: members.rows, companies: companies.rows, courses: courses.rows };
}

/**
 * The same figures as of an earlier time, from the history: the last state recorded before it, and the counters of that
 * time.
 */
export async function readFiguresAsOf(db: Db, at: string) {
  const { rows } = await sql`
    with counters as (
      select enrolment_id, recorded_at, active_seconds, progress from enrolment_activity
      union all select id, last_activity_at, active_seconds, progress from enrolments where user_id is not null
    ), states as (
      select distinct on (enrolment_id) * from enrolment_history where recorded_at < ${at} order by enrolment_id, id desc
    )
    select ${figures} from (
      select states.*, version_id as version, coalesce(c.active_seconds, 0) as active_seconds, c.progress
      from states left join lateral (select * from counters where counters.enrolment_id = states.enrolment_id and recorded_at < ${at}
        order by recorded_at desc limit 1) c on true
      where change <> 'removed') as_of group by 1, 2 order by 1, 2`.execute(db);
  const last = (table: string, key: string) =>
    sql`(select distinct on (${sql.ref(key)}) * from ${sql.table(table)} where recorded_at < ${at} order by ${sql.ref(key)}, id desc)`;
  const members =
    await sql`select company_id, role, status, count(*)::int as n from ${last("membershipHistory", "personId")} last
    where change <> 'removed' group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  const companies =
    await sql`select company_id as id, status, timezone from ${last("companyHistory", "companyId")} last order by 1`.execute(
      db,
    );
  const courses =
    await sql`select course_id as id, status, live_version_id from ${last("courseHistory", "courseId")} last order by 1`.execute(
      db,
    );
  return { rows, members: members.rows, companies: companies.rows, courses: courses.rows };
}

/** Moves all history a day into the past, as if everything so far had happened a day earlier. */
export const ageOneDay = (db: Db) =>
  inTransaction(db, async (tx) => {
    await sql`select set_config('lyceum.rewrite', 'allowed', true)`.execute(tx);
    for (const table of ["enrolment_history", "membership_history", "company_history", "course_history"])
      await sql`update ${sql.table(table)} set happened_at = happened_at - interval '1 day', recorded_at = recorded_at - interval '1 day'`.execute(
        tx,
      );
    await sql`update enrolment_history set assigned_at = assigned_at - interval '1 day',
      first_started_at = first_started_at - interval '1 day', completed_at = completed_at - interval '1 day'`.execute(
      tx,
    );
    for (const table of ["enrolment_activity", "part_history"])
      await sql`update ${sql.table(table)} set recorded_at = recorded_at - interval '1 day'`.execute(tx);
    await sql`alter table enrolments disable trigger user`.execute(tx);
    await sql`update enrolments set last_activity_at = last_activity_at - interval '1 day', assigned_at = assigned_at - interval '1 day',
      first_started_at = first_started_at - interval '1 day', completed_at = completed_at - interval '1 day'`.execute(
      tx,
    );
    await sql`alter table enrolments enable trigger user`.execute(tx);
  });
