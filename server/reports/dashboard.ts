import { sql } from "kysely";
import type { Ctx } from "#server/core/http.ts";
import { inScope } from "#server/core/scope.ts";
import type { Dashboard } from "#shared/reports.ts";
import { scopeOf, type User } from "#shared/users.ts";

type Attention = Dashboard["attention"][number];

/** Key figures of the last `days`, open issues that need an admin, courses per week, and recent activity. */
export async function readDashboard(ctx: Ctx<User>, days: number): Promise<Dashboard> {
  const [summary, attention, weeks, feed] = await Promise.all([
    readSummary(ctx, days),
    readAttention(ctx),
    readWeeks(ctx),
    readFeed(ctx),
  ]);
  return { summary, attention, weeks, feed };
}

async function readSummary({ db, user }: Ctx<User>, days: number) {
  const { rows } = await sql<Dashboard["summary"]>`
    with span as (select now() - make_interval(days => ${days}) as since, now() - make_interval(days => ${days * 2}) as before),
    done as (select e.*, c.timezone from enrolments e join companies c on c.id = e.company_id where e.status <> 'withdrawn' and ${inScope(user, { company: "e.companyId" })})
    select
      (select count(distinct sessions.user_id)::int from sessions join attempts on attempts.id = attempt_id and not preview, span where sessions.started_at > since and ${inScope(user, { company: "sessions.companyId" })}) as active_learners,
      (select count(*)::int from users where role = 'learner' and status <> 'suspended' and ${inScope(user, { company: "users.companyId" })}) as learners,
      (select count(*)::int from done, span where completed_at > since) as completed,
      (select count(*)::int from done, span where completed_at > before and completed_at <= since) as completed_before,
      (select round(100.0 * count(*) filter (where completed_at < (due_date + 1)::timestamp at time zone timezone) / nullif(count(*), 0))::int
         from done, span where completed_at > since and due_date is not null) as on_time_percent,
      (select count(*)::int from done where is_overdue(due_date, timezone, status)) as overdue,
      (select count(distinct company_id)::int from done where is_overdue(due_date, timezone, status)) as overdue_companies,
      (select coalesce(sum(active_ms / 1000), 0)::int from sessions join attempts on attempts.id = attempt_id and not preview, span where sessions.started_at > since and ${inScope(user, { company: "sessions.companyId" })}) as active_seconds`.execute(
    db,
  );
  return rows[0] as Dashboard["summary"];
}

/** `title` and `link` of an issue; all other columns are values of its text. */
type IssueRow = { title: string; link: string; [value: string]: string | number };
const issues: {
  kind: Attention["kind"];
  query: (ctx: Pick<Ctx<User>, "db" | "user" | "config">) => Promise<{ rows: IssueRow[] }>;
}[] = [
  {
    kind: "overdue",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select c.title, '/learners?progress=overdue&courseId=' || c.id || '&companyId=' || o.id as link, o.name as company, count(*)::int as count, min(e.due_date)::text as due_from, max(e.due_date)::text as due_to
    from enrolments e join companies o on o.id = e.company_id join courses c on c.id = e.course_id
    where is_overdue(e.due_date, o.timezone, e.status) and o.status = 'active' and ${inScope(user, { company: "o.id" })} group by c.id, o.id order by count(*) desc limit 4`.execute(
        db,
      ),
  },
  {
    kind: "neverCompletes",
    query: ({ db, user }) =>
      sql<IssueRow>`
    select c.title, '/courses/' || c.id as link, count(*)::int as count from courses c join enrolments e on e.course_id = c.id
    where c.status = 'published' and e.status <> 'withdrawn' and ${inScope(user, { company: "e.companyId" })} and e.first_started_at < now() - interval '1 day' group by c.id
    having count(*) >= 5 and count(*) filter (where e.status in ('completed', 'failed')) = 0 limit 3`.execute(db),
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

/** At most eight issues, most important kinds first. */
async function readAttention(ctx: Ctx<User>): Promise<Attention[]> {
  const found = await Promise.all(
    issues.map(async ({ kind, query }) =>
      (await query(ctx)).rows.map(({ title, link, ...values }) => ({ kind, title, link, values })),
    ),
  );
  return found.flat().slice(0, 8);
}

/** Started and completed enrolments of the last 16 calendar weeks, including empty ones, by Monday. */
async function readWeeks({ db, user }: Ctx<User>) {
  const { rows } = await sql<{ week: string; started: number; completed: number }>`
    with weeks as (select generate_series(date_trunc('week', now()) - interval '15 weeks', date_trunc('week', now()), interval '1 week') as week),
    s as (select date_trunc('week', first_started_at) as week, count(*)::int as n from enrolments where first_started_at > now() - interval '17 weeks' and ${inScope(user, { company: "enrolments.companyId" })} group by 1),
    c as (select date_trunc('week', completed_at) as week, count(*)::int as n from enrolments where completed_at > now() - interval '17 weeks' and ${inScope(user, { company: "enrolments.companyId" })} group by 1)
    select weeks.week::date::text as week, coalesce(s.n, 0) as started, coalesce(c.n, 0) as completed from weeks left join s using (week) left join c using (week) order by 1`.execute(
    db,
  );
  return rows;
}

/** The latest completions, failures and new learners. */
async function readFeed({ db, user }: Ctx<User>) {
  const { rows } = await sql<Dashboard["feed"][number]>`
    (select case when e.status = 'completed' then 'completed' else 'failed' end as kind, u.name as who, u.id as user_id, c.title as what, coalesce(e.completed_at, e.last_activity_at) as at
      from enrolments e join users u on u.id = e.user_id join courses c on c.id = e.course_id where e.status in ('completed', 'failed') and e.last_activity_at is not null and ${inScope(user, { company: "e.companyId" })}
      order by e.last_activity_at desc limit 8)
    union all
    (select 'joined', u.name, u.id, o.name, coalesce(u.last_login_at, u.created_at) from users u join companies o on o.id = u.company_id
      where u.status = 'active' and u.activated_via is not null and ${inScope(user, { company: "u.companyId" })} order by u.created_at desc limit 4)
    order by at desc limit 8`.execute(db);
  return rows;
}
