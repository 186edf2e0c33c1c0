import { sql } from "kysely";
import type { Ctx } from "#server/core/http.ts";
import { inScope } from "#server/core/scope.ts";
import { findFailingConnectors, findSpentBudgets, findUnanswered } from "#server/reports/conversationIssues.ts";
import {
  isLateSince,
  late,
  doneSince,
  metSince,
  sinceDays,
  visitSeconds,
  visitsSince,
  wasOnTime,
} from "#server/reports/dashboardRows.ts";
import type { Dashboard } from "#shared/dashboard.ts";
import { scopeOf, type User } from "#shared/users.ts";

type Attention = Dashboard["attention"][number];

/** Key figures of the last `days`, open issues that need an admin, courses per week, and recent activity. */
export async function readDashboard(ctx: Ctx<User>, days: number): Promise<Dashboard> {
  const overdue = readOverdue(ctx, days);
  const [summary, attention, weeks, feed, events] = await Promise.all([
    readSummary(ctx, days, overdue),
    readAttention(ctx, overdue),
    readWeeks(ctx),
    readFeed(ctx),
    listNextEvents(ctx),
  ]);
  return { summary, attention, weeks, feed, events };
}

type Overdue = {
  count: number;
  fellDue: number;
  companies: number;
  most: (Record<string, string | number> & { title: string; link: string })[];
};

/** All overdue enrolments in one pass: how many, how many of them fell due in the last `days`, and the courses of a company with most. */
async function readOverdue({ db, user }: Ctx<User>, days: number): Promise<Overdue> {
  const { rows } = await sql<Overdue>`
    with late as materialized (select course_id, company_id, companies.status, count(*)::int as count, min(due_date) as due_from, max(due_date) as due_to,
        count(*) filter (where ${isLateSince(sinceDays(days))})::int as fell_due
      ${late(user)} group by 1, 2, 3),
    most as (select c.title, '/reports/course/' || c.id || '?companyId=' || o.id || '&group=overdue#people' as link, o.name as company, late.count,
        late.due_from::text as "dueFrom", late.due_to::text as "dueTo", c.id as "courseId", o.id as "companyId"
      from (select * from late where status = 'active' order by count desc limit 4) late
      join companies o on o.id = late.company_id join courses c on c.id = late.course_id order by late.count desc)
    select coalesce(sum(count), 0)::int as count, coalesce(sum(fell_due), 0)::int as fell_due, count(distinct company_id)::int as companies,
      (select coalesce(jsonb_agg(to_jsonb(most)), '[]') from most) as most from late`.execute(db);
  return rows[0] as Overdue;
}

/** Every figure reads the rows that it counts from an index, not all enrolments. */
async function readSummary({ db, user }: Ctx<User>, days: number, overdue: Promise<Overdue>) {
  const since = sql`(select since from span)`;
  const { rows } = await sql<Omit<Dashboard["summary"], "overdue" | "overdueCompanies">>`
    with span as materialized (select now() - make_interval(days => ${days}) as since, now() - make_interval(days => ${days * 2}) as before),
    visits as materialized (select sessions.user_id, ${visitSeconds} as seconds ${visitsSince(user, since)} group by 1),
    done as materialized (select enrolments.completed_at ${doneSince(user, sql`(select before from span)`)}),
    met as materialized (select ${wasOnTime} as on_time ${metSince(user, since)})
    select
      (select count(*)::int from visits) as active_learners,
      (select count(*)::int from users where role = 'learner' and status <> 'suspended' and ${inScope(user, { company: "users.companyId" })}) as learners,
      (select count(*)::int from done, span where completed_at > since) as completed,
      (select count(*)::int from done, span where completed_at <= since) as completed_before,
      (select count(*) filter (where on_time)::int from met) as on_time,
      (select count(*)::int from met) as fell_due,
      (select coalesce(sum(seconds), 0)::int from visits) as active_seconds`.execute(db);
  const [figures, { count, companies, fellDue }] = [rows[0] as (typeof rows)[number], await overdue];
  return { ...figures, fellDue: figures.fellDue + fellDue, overdue: count, overdueCompanies: companies };
}

/** `title` and `link` of an issue; all other columns are values of its text. */
type IssueRow = { title: string; link: string; [value: string]: string | number };
const issues: {
  kind: Attention["kind"];
  query: (ctx: Pick<Ctx<User>, "db" | "user" | "config">) => Promise<{ rows: IssueRow[] }>;
}[] = [
  { kind: "connectorFailing", query: findFailingConnectors },
  {
    kind: "webhookFailing",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select name as title, '/admin/connectors?tab=webhooks' as link, tries as count, status from webhooks
    where (status = 'active' or failing_since > now() - interval '10 days') and failing_since is not null and ${inScope(user, { company: "webhooks.companyId" })}
    order by status desc, failing_since limit 2`.execute(db),
  },
  { kind: "budgetSpent", query: findSpentBudgets },
  { kind: "unanswered", query: findUnanswered },
  {
    kind: "neverCompletes",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select c.title, '/courses/' || c.id as link, w.count from courses c
    cross join lateral (select count(*)::int as count from enrolments e where e.course_id = c.id and e.status = 'in_progress'
      and e.first_started_at < now() - interval '1 day' and ${inScope(user, { company: "e.companyId" })}) w
    where c.status = 'published' and w.count >= 5 and not exists (select from enrolments e where e.course_id = c.id
      and e.status in ('completed', 'failed') and e.first_started_at < now() - interval '1 day' and ${inScope(user, { company: "e.companyId" })}) limit 3`.execute(
        db,
      ),
  },
  {
    // Of those who started two weeks to two months ago, many have done nothing since they opened the same part.
    kind: "dropOff",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select c.title, '/reports/course/' || c.id as link, part->>'title' as part, s.count, s.started
    from (select course_id, current_part, count(*) filter (where status = 'in_progress' and last_activity_at < now() - interval '14 days')::int as count,
        sum(count(*)) over (partition by course_id)::int as started
      from enrolments where first_started_at between now() - interval '60 days' and now() - interval '14 days'
        and status <> 'withdrawn' and ${inScope(user, { company: "enrolments.companyId" })} group by 1, 2) s
    join courses c on c.id = s.course_id join course_versions v on v.id = c.live_version_id
    cross join lateral jsonb_array_elements(v.parts) part
    where s.count >= 10 and s.count >= s.started * 0.4 and c.status = 'published' and part->>'sco' = s.current_part
      and jsonb_array_length(v.parts) > 1 order by s.count desc limit 2`.execute(db),
  },
  {
    kind: "packageWarning",
    query: ({ db }) =>
      sql<IssueRow>`
    select c.title, '/courses/' || c.id as link, jsonb_array_length(v.warnings) as count, v.warnings->0->>'sentence' as first
    from courses c join course_versions v on v.id = c.live_version_id
    where c.status = 'draft' and jsonb_array_length(v.warnings) > 0 order by v.created_at desc limit 3`.execute(db),
  },
  {
    kind: "saveTrouble",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select u.name as title, '/learners/report/' || u.id as link, sum(s.failed_commits)::int as count, max(c.title) as course
    from sessions s join attempts a on a.id = s.attempt_id and not preview join users u on u.id = s.user_id join courses c on c.id = a.course_id
    where s.started_at > now() - interval '3 days' and s.failed_commits >= 3 and ${inScope(user, { company: "s.companyId" })} group by u.id order by 3 desc limit 3`.execute(
        db,
      ),
  },
  {
    kind: "stuck",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select u.name as title, '/learners/report/' || u.id as link, c.title as course, count(a.id)::int as count
    from enrolments e join users u on u.id = e.user_id join courses c on c.id = e.course_id join attempts a on a.enrolment_id = e.id
    where e.status = 'failed' and ${inScope(user, { company: "e.companyId" })} and e.last_activity_at > now() - interval '30 days' group by u.id, c.id order by 4 desc, max(e.last_activity_at) desc limit 2`.execute(
        db,
      ),
  },
  {
    kind: "codeExpiring",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select name as title, '/companies/' || id as link, greatest(0, ceil(extract(epoch from code_expires_at - now()) / 86400))::int as count
    from companies where status = 'active' and ${inScope(user, { company: "companies.id" })} and code_enabled and code_expires_at between now() and now() + interval '14 days' order by code_expires_at limit 3`.execute(
        db,
      ),
  },
  {
    kind: "invitationsExpired",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select o.name as title, '/learners?status=invited&companyId=' || o.id as link, count(*)::int as count
    from users u join companies o on o.id = u.company_id where u.status = 'invited' and u.invitation_expires_at < now() and ${inScope(user, { company: "o.id" })} group by o.id order by 3 desc limit 3`.execute(
        db,
      ),
  },
  {
    kind: "mailFailing",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select '' as title, '/admin/mails?status=failed' as link, count(*)::int as count from mails where status = 'failed' and ${inScope(user, { company: "mails.companyId" })} having count(*) > 0`.execute(
        db,
      ),
  },
  {
    // Whoever knows the address of an invited person can claim the account (findClaimableUser).
    kind: "claimsUnverified",
    query: ({ db, user, config }) =>
      sql<IssueRow>`
    select '' as title, '/learners?status=invited' as link, count(*)::int as count
    from users u where ${!config.claimConfirmation} and u.status = 'invited' and u.last_active is null and ${inScope(user, { company: "u.companyId" })}
      and not exists (select from auth_accounts where user_id = u.id) having count(*) > 0`.execute(db),
  },
  {
    // For the academy as a whole. An academy without a backup is reported when it is a week old.
    kind: "backupMissing",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select '' as title, '/admin/settings#backup' as link, coalesce(extract(epoch from now() - max(backups.finished_at)) / 86400, 0)::int as count
    from backups having ${isForAcademy(user)} and greatest(max(backups.finished_at), (select min(created_at) from users)) < now() - interval '7 days'`.execute(
        db,
      ),
  },
];

const isForAcademy = (user: User) => sql.lit(scopeOf(user).kind === "academy");

/** The first issue of each kind, most important kinds first; then the second of each, and so on. Queries bound how many there are. */
async function readAttention(ctx: Ctx<User>, overdue: Promise<Overdue>): Promise<Attention[]> {
  const found = [
    overdue.then(({ most }) => ({ kind: "overdue" as const, rows: most })),
    ...issues.map(async ({ kind, query }) => ({ kind, rows: (await query(ctx)).rows as IssueRow[] })),
  ];
  const kinds = (await Promise.all(found)).map(({ kind, rows }) =>
    rows.map(({ title, link, ...values }) => ({ kind, title, link, values })),
  );
  const most = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => kinds.flatMap((found) => found.slice(at, at + 1))).flat();
}

/** Started and completed enrolments of the last 16 calendar weeks, including empty ones, by Monday. */
async function readWeeks({ db, user }: Ctx<User>) {
  const ofEnrolments = inScope(user, { company: "enrolments.companyId" });
  const { rows } = await sql<{ week: string; started: number; completed: number }>`
    with weeks as (select generate_series(date_trunc('week', now()) - interval '15 weeks', date_trunc('week', now()), interval '1 week') as week)
    select week::date::text as week,
      (select count(*)::int from enrolments where first_started_at >= week and first_started_at < week + interval '1 week' and ${ofEnrolments}) as started,
      (select count(*)::int from enrolments where completed_at >= week and completed_at < week + interval '1 week' and ${ofEnrolments}) as completed
    from weeks order by 1`.execute(db);
  return rows;
}

/** The next three events that are published, with the seats that are taken. */
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
async function readFeed({ db, user }: Ctx<User>) {
  const ofEnrolments = inScope(user, { company: "e.companyId" });
  const { rows } = await sql<Dashboard["feed"][number]>`
    select kind, u.name as who, u.id as user_id, what, at from (
      (select 'completed' as kind, e.user_id, c.title as what, e.completed_at as at from enrolments e join courses c on c.id = e.course_id
        where e.completed_at > now() - interval '1 day' and e.status = 'completed' and e.user_id is not null and ${ofEnrolments} order by e.completed_at desc limit 8)
      union all
      (select 'failed', e.user_id, c.title, e.last_activity_at from enrolments e join courses c on c.id = e.course_id
        where e.status = 'failed' and e.last_activity_at > now() - interval '1 day' and e.user_id is not null and ${ofEnrolments} order by e.last_activity_at desc limit 8)
      union all
      (select 'joined', n.id, o.name, coalesce(n.last_login_at, n.created_at) from users n join companies o on o.id = n.company_id
        where n.status = 'active' and n.activated_via is not null and n.created_at > now() - interval '30 days' and coalesce(n.last_login_at, n.created_at) > now() - interval '1 day' and ${inScope(user, { company: "n.companyId" })} order by n.created_at desc limit 4)
    ) found join users u on u.id = found.user_id order by at desc limit 8`.execute(db);
  return rows;
}
