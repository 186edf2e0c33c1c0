import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { confirmsClaims } from "#server/mails/mailServer.ts";
import type { IssueRow } from "#server/reports/issueRow.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

// What goes wrong around courses, for the dashboard: access, deliveries and backups

type Reader = Pick<Ctx<User>, "db" | "user" | "config">;

/** Webhooks whose deliveries fail, and those that were switched off for it in the last ten days. */
export const findFailingWebhooks = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select name as title, '/admin/settings?tab=integrations&kind=webhooks' as link, tries as count, status
    from webhooks
    where (status = 'active' or failing_since > now() - interval '10 days')
      and failing_since is not null
      and ${inScope(user, { company: "webhooks.companyId" })}
    order by status desc, failing_since
    limit 2`.execute(db);

/** Access codes that expire within two weeks. */
export const findExpiringCodes = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select
      name as title,
      '/companies/' || id as link,
      greatest(0, ceil(extract(epoch from code_expires_at - now()) / 86400))::int as count
    from companies
    where status = 'active'
      and ${inScope(user, { company: "companies.id" })}
      and code_enabled
      and code_expires_at between now() and now() + interval '14 days'
    order by code_expires_at
    limit 3`.execute(db);

export const findExpiredInvitations = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select
      companies.name as title,
      '/learners?status=invited&companyId=' || companies.id as link,
      count(*)::int as count
    from users
    join companies on companies.id = users.company_id
    where users.status = 'invited'
      and users.invitation_expires_at < now()
      and ${inScope(user, { company: "companies.id" })}
    group by companies.id
    order by count desc
    limit 3`.execute(db);

export const findFailedMails = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select '' as title, '/admin/mails?status=failed' as link, count(*)::int as count
    from mails
    where status = 'failed'
      and ${inScope(user, { company: "mails.companyId" })}
    having count(*) > 0`.execute(db);

/** Invited accounts that anybody who knows their address can claim (findClaimableUser). */
export const findUnverifiedClaims = async ({ db, user, config }: Reader) =>
  sql<IssueRow>`
    select '' as title, '/learners?status=invited' as link, count(*)::int as count
    from users
    where ${!(await confirmsClaims({ db, config }))}
      and users.role = 'learner'
      and users.status = 'invited'
      and users.last_active is null
      and ${inScope(user, { company: "users.companyId" })}
      and not exists (select from auth_accounts where user_id = users.id)
    having count(*) > 0`.execute(db);

/** No backup for a week, for the academy as a whole. An academy without any is reported when it is a week old. */
export const findMissingBackup = ({ db, user }: Reader) =>
  sql<IssueRow>`
    select
      '' as title,
      '/admin/settings#backup' as link,
      coalesce(extract(epoch from now() - max(backups.finished_at)) / 86400, 0)::int as count
    from backups
    having ${sql.lit(scopeOf(user).kind === "academy")}
      and coalesce(max(backups.finished_at) < now() - interval '7 days', true)
      and exists (select from users where created_at < now() - interval '7 days')`.execute(db);
