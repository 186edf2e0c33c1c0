import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";

/** Every row of the tables that belong to a company, as text. */
export async function readCompanyRows(db: Db, companyId: string) {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(t) as row from companies t where id = ${companyId}
    union all select to_jsonb(t) - 'last_active' from users t where company_id = ${companyId}
    union all select to_jsonb(t) from variable_values t where company_id = ${companyId}
    union all select to_jsonb(t) from variable_deletions t where company_id = ${companyId}
    union all select to_jsonb(t) from files t where company_id = ${companyId}
    union all select to_jsonb(t) from attempts t where company_id = ${companyId}
    union all select to_jsonb(t) from sessions t where company_id = ${companyId}
    union all select to_jsonb(t) from enrolments t where company_id = ${companyId}
    union all select to_jsonb(t) from company_courses t where company_id = ${companyId}
    union all select to_jsonb(t) from events t where company_id = ${companyId}
    union all select to_jsonb(t) from event_registrations t join events e on e.id = t.event_id where e.company_id = ${companyId}
    union all select to_jsonb(t) from sso_connections t where company_id = ${companyId}
    union all select to_jsonb(t) from ai_budgets t where owner_id = ${companyId}
    union all select to_jsonb(t) from ai_usage t where company_id = ${companyId}
    union all select to_jsonb(t) from webhooks t where company_id = ${companyId}
    union all select to_jsonb(t) from flows t join webhooks w on w.id = t.target_webhook_id where w.company_id = ${companyId}
    union all select to_jsonb(t) from mails t where company_id = ${companyId}`.execute(db);
  return rows.map(({ row }) => JSON.stringify(row)).toSorted();
}
