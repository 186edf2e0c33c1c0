import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { readCounted, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown, shown } from "#server/core/database/measured.ts";
import type { reports } from "#shared/reports/reports.ts";
import type { QueryOf, Reply } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// What the figures of the dashboard count. A figure and its list share their conditions, so that their numbers agree.

const ofEnrolments = (user: User) => inScope(user, { company: "enrolments.companyId" });
export const sinceDays = (days: number) => sql`(now() - make_interval(days => ${days}))`;
const dueUntil = sql`(due_date + 1)::timestamp at time zone companies.timezone`;
const today = sql`(now() at time zone 'UTC')::date`;
/**
 * Whether a due date is over now (`isDue`), or ended after a time (`isLateSince`). The time zone of the company, which
 * is expensive to look up for many rows, matters only within two days.
 */
const isDue = sql`(due_date < (select ${today} - 2) or ${dueUntil} <= now())`;
export const isLateSince = (since: RawBuilder<unknown>) => {
  const day = sql`(${since} at time zone 'UTC')::date`;
  return sql`(
    due_date > (select ${day} + 2)
    or (due_date >= (select ${day} - 2) and ${dueUntil} > (select ${since}))
  )`;
};

/** Sessions that began after a time, without previews. An index has the duration of those that have ended. */
export const visitsSince = (user: User, since: RawBuilder<unknown>) => {
  const visits = (ms: string, condition: string) =>
    sql`
      select user_id, company_id, attempt_id, started_at, ${sql.raw(ms)} as ms
      from sessions
      where started_at > ${since}
        and ${sql.raw(condition)}`;
  return sql`
    from (
      ${visits("ended_ms", "ended_ms is not null")}
      union all
      ${visits("active_ms", "ended_at is null")}
    ) sessions
    where ${inScope(user, { company: "sessions.companyId" })}
      and ${isShown(user, "lastActivity", "sessions.companyId")}
      and not exists (
        select
        from attempts
        where attempts.id = sessions.attempt_id
          and attempts.preview
      )`;
};
/** Of those whose active time may be seen. */
export const visitSeconds = (user: User) =>
  sql`sum(${shown(user, "activeTime", "sessions.companyId", sql`sessions.ms / 1000`)})`;

/** Completed enrolments whose due date ended after a time; `wasOnTime` says whether they were completed before it. */
export const metSince = (user: User, since: RawBuilder<unknown>) => sql`
    from enrolments
    join companies on companies.id = enrolments.company_id
    where enrolments.status = 'completed'
      and due_date is not null
      and due_date between (${since} at time zone 'UTC')::date - 2 and current_date + 1
      and ${isLateSince(since)}
      and ${isDue}
      and ${ofEnrolments(user)}`;
export const wasOnTime = sql`enrolments.completed_at < ${dueUntil}`;

/**
 * All overdue enrolments, by the rule of `isOverdue`, but with fewer look-ups of time zones; `isLateSince` says whether
 * they fell due after a time.
 */
export const late = (user: User) => sql`
    from enrolments
    join companies on companies.id = enrolments.company_id
    where enrolments.due_date <= ${today}
      and enrolments.status in ('assigned', 'in_progress', 'failed')
      and ${isDue}
      and ${ofEnrolments(user)}`;

/** Enrolments that were completed after a time and are not withdrawn. */
export const doneSince = (user: User, since: RawBuilder<unknown>) => sql`
    from enrolments
    where enrolments.completed_at > ${since}
      and enrolments.status <> 'withdrawn'
      and ${ofEnrolments(user)}`;

type Row<C extends typeof reports.fellDue | typeof reports.completed | typeof reports.active> =
  Reply<C>["items"][number] & { total: number };

/** One page of the assignments whose due date ended in the last `days`, the latest first. */
export function listFellDue({ db, user }: Ctx<User>, query: QueryOf<typeof reports.fellDue>) {
  const since = sinceDays(query.days);
  const columns = sql`
        enrolments.id, enrolments.user_id, enrolments.course_id, companies.name as company,
        enrolments.status, enrolments.success, enrolments.due_date, enrolments.completed_at`;
  const result = { onTime: sql`due.on_time`, late: sql`not due.on_time` };
  return readCounted(query, (limit, offset) =>
    sql<Row<typeof reports.fellDue>>`
      with due as materialized (
        select ${columns}, ${wasOnTime} as on_time
        ${metSince(user, since)}
        union all
        select ${columns}, false
        ${late(user)} and ${isLateSince(since)}
      )
      select
        due.id, due.user_id, users.name, users.email, due.company, courses.title as course,
        due.status, due.success, due.due_date, due.completed_at, due.on_time,
        due.status <> 'completed' as overdue,
        count(*) over ()::int as total
      from due
      left join users on users.id = due.user_id
      join courses on courses.id = due.course_id
      where ${query.result ? result[query.result] : sql`true`}
        and ${searchPeople(query.q)}
      order by due.due_date desc, lower(coalesce(nullif(users.name, ''), users.email)) nulls last, due.id
      limit ${limit}
      offset ${offset}`.execute(db),
  );
}

/**
 * One page of the assignments that were completed in the last `days`, the latest first. Without a search, names are
 * read for the page only.
 */
export function listCompleted({ db, user }: Ctx<User>, query: QueryOf<typeof reports.completed>) {
  const score = shown(user, "scores", "found.companyId", sql`found.score_percent`);
  return readCounted(query, (limit, offset) => {
    const page = sql`
        order by completed_at desc, id
        limit ${limit}
        offset ${offset}`;
    const matching = query.q
      ? sql`
        select done.*, count(*) over ()::int as total
        from done
        join users on users.id = done.user_id
        where ${searchPeople(query.q)}`
      : sql`
        select done.*, (select count(*) from done)::int as total
        from done`;
    return sql<Row<typeof reports.completed>>`
      with done as (
        select id, user_id, course_id, company_id, status, success, score_percent, due_date, completed_at
        ${doneSince(user, sinceDays(query.days))}
      ),
      found as (
        ${matching}
        ${page}
      )
      select
        found.id, found.user_id, users.name, users.email, companies.name as company, courses.title as course,
        found.status, found.success, ${score} as score_percent, found.completed_at,
        is_overdue(found.due_date, companies.timezone, found.status) as overdue,
        found.total
      from found
      left join users on users.id = found.user_id
      join courses on courses.id = found.course_id
      join companies on companies.id = found.company_id
      order by found.completed_at desc, found.id`.execute(db);
  });
}

const searchPeople = (q?: string) => (q ? searchFor(q, ["users.name", "users.email"]) : sql`true`);

/**
 * One page of the learners with sessions that began in the last `days`, those with most active time first. Without a
 * search, names are read only for those up to the end of the page and for those with as much time as the last of them.
 */
export function listActive({ db, user }: Ctx<User>, query: QueryOf<typeof reports.active>) {
  return readCounted(query, (limit, offset) => {
    const matching = query.q
      ? sql`
        select visits.*, count(*) over ()::int as total
        from visits
        join users on users.id = visits.user_id
        where ${searchPeople(query.q)}`
      : sql`
        select visits.*, (select count(*) from visits)::int as total
        from visits
        order by active_seconds desc nulls last
        fetch first ${offset + limit} rows with ties`;
    return sql<Row<typeof reports.active>>`
      with visits as materialized (
        select
          sessions.user_id,
          ${visitSeconds(user)}::int as active_seconds,
          count(*)::int as sessions,
          max(sessions.started_at) as last_at
        ${visitsSince(user, sinceDays(query.days))}
        group by 1
      ),
      found as (${matching})
      select
        coalesce(found.user_id::text, 'erased') as id,
        users.id as user_id, users.name, users.email, companies.name as company,
        found.active_seconds, found.sessions, found.last_at, found.total
      from found
      left join users on users.id = found.user_id
      left join companies on companies.id = users.company_id
      order by
        found.active_seconds desc nulls last,
        lower(coalesce(nullif(users.name, ''), users.email)) nulls last,
        found.user_id
      limit ${limit}
      offset ${offset}`.execute(db);
  });
}
