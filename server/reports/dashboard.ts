import { sql } from "kysely";
import { shareReading } from "#server/core/database/sharedReading.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { isShown, shown } from "#server/core/database/measured.ts";
import {
  type Failures,
  type Overdue,
  readAttention,
  readFailures,
  readOverdue,
} from "#server/reports/dashboardIssues.ts";
import { doneSince, metSince, visitSeconds, visitsSince, wasOnTime } from "#server/reports/dashboardRows.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

/**
 * Key figures of the last `days`, open issues that need an admin, courses per week, and recent activity. Simultaneous
 * requests for the same dashboard share one reading.
 */
export const readDashboard = (ctx: Ctx<User>, days: number): Promise<Dashboard> =>
  shareReading(ctx, ["dashboard", scopeOf(ctx.user), days], () => computeDashboard(ctx, days));

async function computeDashboard(ctx: Ctx<User>, days: number): Promise<Dashboard> {
  const overdue = readOverdue(ctx, days);
  const failures = readFailures(ctx);
  const [summary, attention, weeks, feed, events] = await Promise.all([
    readSummary(ctx, days, overdue),
    readAttention(ctx, { overdue, failures }),
    readWeeks(ctx),
    readFeed(ctx, failures),
    listNextEvents(ctx),
  ]);
  return { summary, attention, weeks, feed, events };
}

/** Every figure reads the rows that it counts from an index, not all enrolments. */
async function readSummary({ db, user }: Ctx<User>, days: number, overdue: Promise<Overdue>) {
  const since = sql`(select since from span)`;
  const { rows } = await sql<Omit<Dashboard["summary"], "overdue" | "overdueCompanies">>`
    with span as materialized (
      select
        now() - make_interval(days => ${days}) as since,
        now() - make_interval(days => ${days * 2}) as before
    ),
    visits as materialized (
      select sessions.user_id, ${visitSeconds(user)} as seconds
      ${visitsSince(user, since)}
      group by 1
    ),
    done as materialized (
      select
        count(*) filter (where completed_at > ${since})::int as completed,
        count(*)::int as of_both
      ${doneSince(user, sql`(select before from span)`)}
    ),
    met as materialized (
      select ${wasOnTime} as on_time
      ${metSince(user, since)}
    )
    select
      (select count(*)::int from visits) as active_learners,
      (
        select count(*)::int
        from users
        where role = 'learner'
          and ${inScope(user, { company: "users.companyId" })}
      ) as learners,
      (select completed from done) as completed,
      (select of_both - completed from done) as completed_before,
      (select count(*) filter (where on_time)::int from met) as on_time,
      (select count(*)::int from met) as fell_due,
      (select coalesce(sum(seconds), case when count(*) = 0 then 0 end)::int from visits) as active_seconds`.execute(
    db,
  );
  const [figures, { count, companies, fellDue }] = [rows[0] as (typeof rows)[number], await overdue];
  return { ...figures, fellDue: figures.fellDue + fellDue, overdue: count, overdueCompanies: companies };
}

/** Started and completed enrolments of the last 16 calendar weeks, including empty ones, by Monday. */
async function readWeeks({ db, user }: Ctx<User>) {
  const ofEnrolments = inScope(user, { company: "enrolments.companyId" });
  const { rows } = await sql<{ week: string; started: number; completed: number }>`
    with weeks as (
      select generate_series(
        date_trunc('week', now()) - interval '15 weeks',
        date_trunc('week', now()),
        interval '1 week'
      ) as week
    )
    select
      week::date::text as week,
      (
        select count(*)::int
        from enrolments
        where first_started_at >= week
          and first_started_at < week + interval '1 week'
          and ${ofEnrolments}
      ) as started,
      (
        select count(*)::int
        from enrolments
        where completed_at >= week
          and completed_at < week + interval '1 week'
          and ${ofEnrolments}
      ) as completed
    from weeks
    order by 1`.execute(db);
  return rows;
}

/** The next three published events, with the number of taken seats. */
const listNextEvents = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("events")
    .where("status", "=", "published")
    .where("startsAt", ">", sql<string>`now()`)
    .where(inScope(user, { company: "events.companyId" }))
    .orderBy("startsAt")
    .limit(3)
    .select(["id", "title", "startsAt", "timezone"])
    .select(sql<number>`(seats_taken + seats_taken_online)`.as("taken"))
    .select(sql<number | null>`(capacity + coalesce(capacity_online, 0))`.as("capacity"))
    .execute();

/** Completions, failures and new learners of the last 24 hours. */
async function readFeed({ db, user }: Ctx<User>, failures: Promise<Failures>) {
  const { latest } = await failures;
  const ofEnrolments = inScope(user, { company: "e.companyId" });
  const seenLogin = shown(user, "lastActivity", "n.companyId", sql`n.last_login_at`);
  const { rows } = await sql<Dashboard["feed"][number]>`
    select kind, u.name as who, u.id as user_id, what, at
    from (
      (
        select 'completed' as kind, e.user_id, c.title as what, e.completed_at as at
        from enrolments e
        join courses c on c.id = e.course_id
        where e.completed_at > now() - interval '1 day'
          and e.status = 'completed'
          and e.user_id is not null
          and ${ofEnrolments}
        order by e.completed_at desc
        limit 8
      )
      union all
      (
        select 'failed', e.user_id, c.title, e.last_activity_at
        from enrolments e
        join courses c on c.id = e.course_id
        where e.id = any(${latest}::uuid[])
          and e.status = 'failed'
          and ${isShown(user, "lastActivity", "e.companyId")}
          and e.user_id is not null
          and ${ofEnrolments}
      )
      union all
      (
        select 'joined', n.id, o.name, coalesce(${seenLogin}, n.created_at)
        from users n
        join companies o on o.id = n.company_id
        where n.status = 'active'
          and n.activated_via is not null
          and n.created_at > now() - interval '30 days'
          and coalesce(${seenLogin}, n.created_at) > now() - interval '1 day'
          and ${inScope(user, { company: "n.companyId" })}
        order by n.created_at desc
        limit 4
      )
    ) latest
    join users u on u.id = latest.user_id
    order by at desc
    limit 8`.execute(db);
  return rows;
}
