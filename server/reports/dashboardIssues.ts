import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { findFailingConnectors, findSpentBudgets, findUnanswered } from "#server/reports/conversationIssues.ts";
import { isLateSince, late, sinceDays } from "#server/reports/dashboardRows.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

// The open issues that need an admin

type Attention = Dashboard["attention"][number];

export type Overdue = {
  count: number;
  fellDue: number;
  companies: number;
  most: (Record<string, string | number> & { title: string; link: string })[];
};

/**
 * All overdue enrolments in one pass: how many, how many of them fell due in the last `days`, and the courses of a
 * company with most.
 */
export async function readOverdue({ db, user }: Ctx<User>, days: number): Promise<Overdue> {
  const { rows } = await sql<Overdue>`
    with late as materialized (select course_id, company_id, count(*)::int as count, min(due_date) as due_from, max(due_date) as due_to,
        count(*) filter (where ${isLateSince(sinceDays(days))})::int as fell_due
      ${late(user)} group by 1, 2),
    most as (select c.title, '/reports/course/' || c.id || '?companyId=' || o.id || '&group=overdue#people' as link, o.name as company, late.count,
        late.due_from::text as "dueFrom", late.due_to::text as "dueTo", c.id as "courseId", o.id as "companyId"
      from late join companies o on o.id = late.company_id join courses c on c.id = late.course_id
      where o.status = 'active' order by late.count desc, late.company_id, late.course_id limit 4)
    select coalesce(sum(count), 0)::int as count, coalesce(sum(fell_due), 0)::int as fell_due, count(distinct company_id)::int as companies,
      (select coalesce(jsonb_agg(to_jsonb(most)), '[]') from most) as most from late`.execute(db);
  return rows[0] as Overdue;
}

export type Failures = { stuck: IssueRow[]; latest: string[] };
type Shared = { overdue: Promise<Overdue>; failures: Promise<Failures> };

/**
 * Who failed in the last 30 days with most attempts, and the latest eight of a day by their ids: both in one pass over
 * those who failed.
 */
export async function readFailures({ db, user }: Ctx<User>): Promise<Failures> {
  const { rows } = await sql<Failures>`
    with failed as materialized (select e.id, e.user_id, e.course_id, e.last_activity_at from enrolments e
      where e.status = 'failed' and e.last_activity_at > now() - interval '30 days' and ${inScope(user, { company: "e.companyId" })}),
    stuck as (select u.name as title, '/learners/report/' || u.id as link, c.title as course, count(*)::int as count, max(e.last_activity_at) as last_at
      from failed e join users u on u.id = e.user_id join courses c on c.id = e.course_id join attempts a on a.enrolment_id = e.id
      group by u.id, c.id order by 4 desc, 5 desc limit 2)
    select (select coalesce(jsonb_agg(to_jsonb(stuck) - 'last_at' order by count desc, last_at desc), '[]') from stuck) as stuck,
      array(select id from failed where user_id is not null and last_activity_at > now() - interval '1 day' order by last_activity_at desc limit 8) as latest`.execute(
    db,
  );
  return rows[0] as Failures;
}

/** `title` and `link` of an issue; all other columns are values of its text. */
type IssueRow = { title: string; link: string; [value: string]: string | number };
const startedLately = sql`first_started_at between now() - interval '60 days' and now() - interval '14 days'`;
const isMany = (count: RawBuilder<unknown>) => sql`(${count} >= 10 and ${count} >= started * 0.4)`;
const issues: {
  kind: Attention["kind"];
  query: (ctx: Pick<Ctx<User>, "db" | "user" | "config">, shared: Shared) => Promise<{ rows: IssueRow[] }>;
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
    // Of those who started two weeks to two months ago, many have done nothing since they opened the same part. Only
    // courses of which as many are still open can be concerned, and only their enrolments are read.
    kind: "dropOff",
    query: ({ db, user }) =>
      sql<IssueRow>`
    with started as materialized (
      select course_id, count(*)::int as started, count(*) filter (where status = 'in_progress') as open
      from enrolments where ${startedLately} and status <> 'withdrawn' and ${inScope(user, { company: "enrolments.companyId" })} group by 1)
    select c.title, '/reports/course/' || c.id as link, part->>'title' as part, s.count, s.started
    from (select started.course_id, started.started, current_part, count(*)::int as count
      from started join enrolments on enrolments.course_id = started.course_id and enrolments.status = 'in_progress'
      where ${isMany(sql`started.open`)} and ${startedLately} and last_activity_at < now() - interval '14 days'
        and ${inScope(user, { company: "enrolments.companyId" })} group by 1, 2, 3) s
    join courses c on c.id = s.course_id join course_versions v on v.id = c.live_version_id
    cross join lateral jsonb_array_elements(v.parts) part
    where ${isMany(sql`s.count`)} and c.status = 'published' and part->>'sco' = s.current_part
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
  { kind: "stuck", query: async (_, { failures }) => ({ rows: (await failures).stuck }) },
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
    from backups having ${isForAcademy(user)} and coalesce(max(backups.finished_at) < now() - interval '7 days', true)
      and exists (select from users where created_at < now() - interval '7 days')`.execute(db),
  },
];

const isForAcademy = (user: User) => sql.lit(scopeOf(user).kind === "academy");

/**
 * The first issue of each kind, most important kinds first; then the second of each, and so on. Queries bound how many
 * there are.
 */
export async function readAttention(ctx: Ctx<User>, shared: Shared): Promise<Attention[]> {
  const found = [
    shared.overdue.then(({ most }) => ({ kind: "overdue" as const, rows: most })),
    ...issues.map(async ({ kind, query }) => ({ kind, rows: (await query(ctx, shared)).rows as IssueRow[] })),
  ];
  const kinds = (await Promise.all(found)).map(({ kind, rows }) =>
    rows.map(({ title, link, ...values }) => ({ kind, title, link, values })),
  );
  const most = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => kinds.flatMap((found) => found.slice(at, at + 1))).flat();
}
