import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { type CompanyCondition, probes } from "#test/probes.ts";

/** Written by reading, or by clocks: no test can compare them. */
const UNSTEADY = ["audit_entries"];
/** Columns that a job writes after the request, such as whether an email was sent. */
const WRITTEN_BY_JOBS: Record<string, string[]> = { mails: ["status", "error", "sent_at"] };

/** Every row of the tables that belong to a company, as text: those with `company_id`, and those that probes name. */
export async function readCompanyRows(db: Db, companyId: string) {
  const { rows: tables } = await sql<{ name: string }>`
    select c.table_name as name
    from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public'
      and t.table_type = 'BASE TABLE'
      and c.column_name = 'company_id'`.execute(db);
  const conditions: Record<string, CompanyCondition> = Object.assign(
    {},
    ...probes.map(({ companyRows }) => companyRows),
  );
  for (const { name } of tables)
    if (!UNSTEADY.includes(name)) conditions[name] ??= () => sql`t.company_id = ${companyId}`;
  const selects = Object.entries(conditions).map(
    ([table, condition]) => sql`
      select to_jsonb(t) - ${WRITTEN_BY_JOBS[table] ?? ["last_active"]}::text[] as row
      from ${sql.table(table)} t
      where ${condition(companyId)}`,
  );
  const { rows } = await sql<{ row: unknown }>`${sql.join(selects, sql` union all `)}`.execute(db);
  return rows.map(({ row }) => JSON.stringify(row)).toSorted();
}
