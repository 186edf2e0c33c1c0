import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { findFailingConnectors, findSpentBudgets, findUnanswered } from "#server/reports/conversationIssues.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import { isDueForReminder } from "#server/courses/reminders/reminderRows.ts";
import { isLateSince, late, sinceDays } from "#server/reports/dashboardRows.ts";
import type { IssueRow } from "#server/reports/issueRow.ts";
import {
  findDropOffs,
  findNeverCompleted,
  findPackageWarnings,
  findSaveTrouble,
} from "#server/reports/learningIssues.ts";
import {
  findExpiredInvitations,
  findExpiringCodes,
  findFailedMails,
  findFailingWebhooks,
  findMissingBackup,
  findUnverifiedClaims,
} from "#server/reports/operationIssues.ts";
import type { Dashboard } from "#shared/reports/dashboard.ts";
import type { User } from "#shared/core/users.ts";

// The open issues that need an admin

type Attention = Dashboard["attention"][number];

export type Overdue = {
  count: number;
  fellDue: number;
  companies: number;
  most: (Record<string, string | number> & { title: string; link: string })[];
};

/** SQL: someone in a group of `late` enrolments would get a reminder now. */
const hasDueReminder = sql`exists (
  select
  from enrolments
  join users on users.id = enrolments.user_id
  join companies on companies.id = enrolments.company_id
  join courses on courses.id = enrolments.course_id
  where enrolments.course_id = late.course_id
    and enrolments.company_id = late.company_id
    and ${isOverdue}
    and ${isDueForReminder(sql`now()`)}
)`;

/**
 * All overdue enrolments in one pass: their number, the number of those that fell due in the last `days`, and the
 * courses with most of them in one company. Without a mail server, none offers reminders.
 */
export async function readOverdue({ db, user, config }: Ctx<User>, days: number): Promise<Overdue> {
  const canSend = await hasMailServer({ db, config });
  const { rows } = await sql<Overdue>`
    with late as materialized (
      select
        course_id,
        company_id,
        count(*)::int as count,
        min(due_date) as due_from,
        max(due_date) as due_to,
        max(reminded_at) as reminded_at,
        count(*) filter (where ${isLateSince(sinceDays(days))})::int as fell_due
      ${late(user)}
      group by 1, 2
    ),
    most as (
      select
        courses.title,
        '/reports/course/' || courses.id || '?companyId=' || companies.id || '&group=overdue#people' as link,
        companies.name as company,
        late.count,
        late.due_from::text as "dueFrom",
        late.due_to::text as "dueTo",
        courses.id as "courseId",
        companies.id as "companyId",
        late.reminded_at as "remindedAt",
        (${canSend} and ${hasDueReminder})::int as "canRemind"
      from late
      join companies on companies.id = late.company_id
      join courses on courses.id = late.course_id
      where companies.status = 'active'
      order by late.count desc, late.company_id, late.course_id
      limit 4
    )
    select
      coalesce(sum(count), 0)::int as count,
      coalesce(sum(fell_due), 0)::int as fell_due,
      count(distinct company_id)::int as companies,
      (select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(most))), '[]') from most) as most
    from late`.execute(db);
  return rows[0] as Overdue;
}

export type Failures = { stuck: IssueRow[]; latest: string[] };
type Shared = { overdue: Promise<Overdue>; failures: Promise<Failures> };

/**
 * The learners with most attempts among those who failed in the last 30 days, and the ids of the latest eight failures
 * of the last day: both in one pass.
 */
export async function readFailures({ db, user }: Ctx<User>): Promise<Failures> {
  const { rows } = await sql<Failures>`
    with failed as materialized (
      select id, user_id, course_id, last_activity_at
      from enrolments
      where status = 'failed'
        and last_activity_at > now() - interval '30 days'
        and ${inScope(user, { company: "enrolments.companyId" })}
    ),
    stuck as (
      select
        users.name as title,
        '/learners/report/' || users.id as link,
        courses.title as course,
        count(*)::int as count,
        max(failed.last_activity_at) as last_at
      from failed
      join users on users.id = failed.user_id
      join courses on courses.id = failed.course_id
      join attempts on attempts.enrolment_id = failed.id
      group by users.id, courses.id
      order by count desc, last_at desc
      limit 2
    )
    select
      (
        select coalesce(jsonb_agg(to_jsonb(stuck) - 'last_at' order by count desc, last_at desc), '[]')
        from stuck
      ) as stuck,
      array(
        select id
        from failed
        where user_id is not null
          and last_activity_at > now() - interval '1 day'
        order by last_activity_at desc
        limit 8
      ) as latest`.execute(db);
  return rows[0] as Failures;
}

/** What is looked for, the most important first. */
const issues: {
  kind: Attention["kind"];
  query: (ctx: Pick<Ctx<User>, "db" | "user" | "config">, shared: Shared) => Promise<{ rows: IssueRow[] }>;
}[] = [
  { kind: "connectorFailing", query: findFailingConnectors },
  { kind: "webhookFailing", query: findFailingWebhooks },
  { kind: "budgetSpent", query: findSpentBudgets },
  { kind: "unanswered", query: findUnanswered },
  { kind: "neverCompletes", query: findNeverCompleted },
  { kind: "dropOff", query: findDropOffs },
  { kind: "packageWarning", query: findPackageWarnings },
  { kind: "saveTrouble", query: findSaveTrouble },
  { kind: "stuck", query: async (_, { failures }) => ({ rows: (await failures).stuck }) },
  { kind: "codeExpiring", query: findExpiringCodes },
  { kind: "invitationsExpired", query: findExpiredInvitations },
  { kind: "mailFailing", query: findFailedMails },
  { kind: "claimsUnverified", query: findUnverifiedClaims },
  { kind: "backupMissing", query: findMissingBackup },
];

/** The first issue of each kind, in the order of the kinds; then the second of each, and so on. Queries limit them. */
export async function readAttention(ctx: Ctx<User>, shared: Shared): Promise<Attention[]> {
  const readings = [
    shared.overdue.then(({ most }) => ({ kind: "overdue" as const, rows: most })),
    ...issues.map(async ({ kind, query }) => ({ kind, rows: (await query(ctx, shared)).rows as IssueRow[] })),
  ];
  const kinds = (await Promise.all(readings)).map(({ kind, rows }) =>
    rows.map(({ title, link, ...values }) => ({ kind, title, link, values })),
  );
  const most = Math.max(...kinds.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => kinds.flatMap((ofKind) => ofKind.slice(at, at + 1))).flat();
}
