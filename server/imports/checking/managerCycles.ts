import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { JudgedImport } from "#server/imports/checking/judgeRows.ts";

type Row = {
  number: number;
  userId: string | null;
  emailKey: string | null;
  numberKey: string | null;
  manager: string;
};

/**
 * Rejects accepted rows that would make someone their own manager. Considers all rows and who leads whom now, because
 * correcting one row can close or break a cycle of others.
 */
export async function rejectManagerCycles(tx: Tx, { id, companyId }: JudgedImport) {
  await sql`
    update people_import_rows
    set outcome = case when user_id is null then 'create' else 'update' end,
      reasons = '[]'
    where import_id = ${id}
      and outcome = 'rejected'
      and jsonb_array_length(reasons) = 1
      and reasons->0->>'code' = 'managerCycle'`.execute(tx);
  const { rows } = await sql<Row>`
    select number, user_id, email_key, number_key, lower(said->>'manager') as manager
    from people_import_rows
    where import_id = ${id}
      and outcome in ('create', 'update')
    order by number`.execute(tx);
  if (!rows.some(({ manager }) => manager)) return;
  const { rows: people } = await sql<{
    id: string;
    email: string | null;
    number: string | null;
    managerId: string | null;
  }>`
    select users.id, lower(users.email) as email, lower(personnel_numbers.number) as number, managers.manager_id
    from users
    left join personnel_numbers on personnel_numbers.user_id = users.id
    left join managers on managers.user_id = users.id
    where users.company_id = ${companyId}
      and users.role = 'learner'`.execute(tx);
  // A person is their account or, if they are new, their row.
  const keys = new Map<string, string>();
  const managerOf = new Map<string, string>();
  for (const { id: person, email, number, managerId } of people) {
    for (const key of [email, number]) if (key) keys.set(key, person);
    if (managerId) managerOf.set(person, managerId);
  }
  const nodeOf = (row: Row) => row.userId ?? `row ${row.number}`;
  for (const row of rows) for (const key of [row.emailKey, row.numberKey]) if (key) keys.set(key, nodeOf(row));
  const numbers = new Map<string, number>();
  for (const row of rows) {
    const manager = row.manager && keys.get(row.manager);
    if (!manager) continue;
    managerOf.set(nodeOf(row), manager);
    numbers.set(nodeOf(row), row.number);
  }
  const cyclic = findCyclic(numbers.keys(), managerOf);
  const wrong = [...numbers].filter(([node]) => cyclic.has(node));
  await sql`
    update people_import_rows
    set outcome = 'rejected',
      reasons = wrong.reasons
    from unnest(
      ${wrong.map(([, number]) => number)}::integer[],
      ${wrong.map(([node]) => JSON.stringify([reasonOf(numbers.get(managerOf.get(node) ?? ""))]))}::jsonb[]
    ) wrong (number, reasons)
    where people_import_rows.import_id = ${id}
      and people_import_rows.number = wrong.number`.execute(tx);
}

/** `row` is that of the manager, if the file has one. */
const reasonOf = (row: number | undefined) => ({ field: "manager", code: "managerCycle", ...(row && { row }) });

/** Those who are in a cycle, without those who are only below one. */
function findCyclic(starts: Iterable<string>, managerOf: Map<string, string>) {
  const cyclic = new Set<string>();
  const seen = new Set<string>();
  for (const start of starts) {
    const chain: string[] = [];
    let at: string | undefined = start;
    for (; at !== undefined && !seen.has(at); at = managerOf.get(at)) {
      seen.add(at);
      chain.push(at);
    }
    const from = at === undefined ? -1 : chain.indexOf(at);
    if (from >= 0) chain.slice(from).forEach((node) => cyclic.add(node));
  }
  return cyclic;
}
