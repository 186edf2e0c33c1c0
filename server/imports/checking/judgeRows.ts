import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { type Account, type Accounts, findAccounts } from "#server/imports/checking/accounts.ts";
import { storeOutcomes } from "#server/imports/checking/outcomes.ts";
import type { ImportField, Reason } from "#shared/imports/importReasons.ts";
import type { Outcome, SaidOfPerson } from "#shared/imports/imports.ts";

export type JudgedImport = { id: string; companyId: string; existing: "update" | "skip" };
type Row = {
  number: number;
  leftOut: boolean;
  said: SaidOfPerson;
  faults: Reason[];
  emailKey: string | null;
  numberKey: string | null;
  emailRow: number | null;
  numberRow: number | null;
  /** The row of the file that is about the manager. */
  managerRow: number | null;
};
export type Judged = { number: number; outcome: Outcome; reasons: Reason[]; userId: string | null; said: SaidOfPerson };

/** Compares rows with the file and with the existing people, and stores the outcome of each. */
export async function judgeRows(tx: Tx, file: JudgedImport, numbers: number[]): Promise<Judged[]> {
  const rows = await readRows(tx, file.id, numbers);
  const managers = rows.flatMap(({ said }) => said.manager ?? []);
  const accounts = await findAccounts(tx, file.companyId, {
    emails: [...rows.flatMap(({ emailKey }) => emailKey ?? []), ...managers],
    numbers: [...rows.flatMap(({ numberKey }) => numberKey ?? []), ...managers],
  });
  const hasPinLogin = await readPinLogin(tx, file.companyId);
  const judged = rows.map((row) => ({
    ...judge({ ...file, hasPinLogin }, row, accounts),
    number: row.number,
    said: row.said,
  }));
  await storeOutcomes(tx, file.id, judged);
  return judged;
}

/**
 * The rows, each with the earlier row of the file that is about the same person. The sum keeps PostgreSQL from reading
 * all earlier rows in their order instead of those with the key.
 */
async function readRows(tx: Tx, id: string, numbers: number[]) {
  const earlier = (key: "email_key" | "number_key") => sql`(
    select min(other.number + 0)
    from people_import_rows other
    where other.import_id = people_import_rows.import_id
      and ${sql.ref(`other.${key}`)} = ${sql.ref(`people_import_rows.${key}`)}
      and other.number < people_import_rows.number
      and not other.left_out)`;
  const ofManager = (key: "email_key" | "number_key") => sql`(
    select min(other.number + 0)
    from people_import_rows other
    where other.import_id = people_import_rows.import_id
      and ${sql.ref(`other.${key}`)} = people_import_rows.said->>'manager'
      and not other.left_out)`;
  const { rows } = await sql<Row>`
    select number, left_out, said, faults, email_key, number_key,
      ${earlier("email_key")} as email_row,
      ${earlier("number_key")} as number_row,
      case
        when said->>'manager' <> '' then least(${ofManager("email_key")}, ${ofManager("number_key")})
      end as manager_row
    from people_import_rows
    where import_id = ${id}
      and number = any(${numbers}::integer[])
    order by number`.execute(tx);
  return rows;
}

/** Whether people of the company may have no email address, because they can log in with a PIN. */
const readPinLogin = async (tx: Tx, companyId: string) => {
  const company = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select("pinLogin")
    .executeTakeFirstOrThrow();
  return company.pinLogin !== "off";
};

function judge(
  { companyId, existing, hasPinLogin }: JudgedImport & { hasPinLogin: boolean },
  row: Row,
  { byEmail, byNumber }: Accounts,
) {
  const { said } = row;
  const reasons = [...row.faults];
  const blame = (field: ImportField | null, code: Reason["code"], other?: number) => {
    if (!reasons.some((reason) => reason.field === field && field))
      reasons.push({ field, code, ...(other && { row: other }) });
  };
  const holder = row.emailKey ? byEmail.get(row.emailKey) : undefined;
  const numbered = row.numberKey ? byNumber.get(row.numberKey) : undefined;
  const isMember = holder?.role === "learner" && holder.companyId === companyId;
  const person = numbered ?? (isMember ? holder : undefined);
  const userId = person?.id ?? null;
  if (row.leftOut) return { outcome: "leftOut" as const, reasons: [], userId };
  if (row.numberRow) blame("externalId", "duplicate", row.numberRow);
  if (row.emailRow && row.emailRow !== row.numberRow) blame("email", "duplicate", row.emailRow);
  if (holder?.role === "admin") blame("email", "isAdmin");
  else if (holder && !isMember) blame("email", "otherCompany");
  else if (holder && numbered && holder.id !== numbered.id) blame("email", "differentPeople");
  else if (holder && !numbered && said.externalId && holder.externalId) blame("email", "taken");
  const isHere = (account: Account | undefined) => account?.role === "learner" && account.companyId === companyId;
  const manager = [byEmail, byNumber].map((accounts) => accounts.get(said.manager ?? "")).find(isHere);
  if (said.manager && (row.managerRow === row.number || (manager && manager.id === userId)))
    blame("manager", "ownManager");
  else if (said.manager && !manager && !row.managerRow) blame("manager", "unknownManager");
  if (!person && !said.email && !hasPinLogin) blame("email", "missing");
  else if (!person && !said.email && !said.externalId) blame("externalId", "missing");
  if (!person && said.status === "suspended") blame("status", "newButSuspended");
  if (reasons.length > 0) return { outcome: "rejected" as const, reasons, userId };
  if (!person) return { outcome: "create" as const, reasons, userId };
  const isChanged =
    existing === "update" &&
    (differs(person, said) || (said.manager !== undefined && person.managerId !== (manager?.id ?? "")));
  return { outcome: isChanged ? ("update" as const) : ("same" as const), reasons, userId };
}

const differs = (person: Account, said: SaidOfPerson) =>
  person.name !== said.name ||
  (said.email !== null && person.email?.toLowerCase() !== said.email) ||
  (said.externalId !== undefined && person.externalId !== said.externalId) ||
  Object.entries(said.fields ?? {}).some(([id, value]) => person.fields[id] !== value) ||
  (said.status !== undefined && (said.status === "suspended") !== (person.status === "suspended"));

/** These rows and those of the import that are about the same people or name them as manager, by their current keys. */
export async function listSamePeople(tx: Tx, id: string, numbers: number[]) {
  const keys = tx
    .selectFrom("peopleImportRows as given")
    .where("given.importId", "=", id)
    .where("given.number", "in", numbers);
  const rows = await tx
    .selectFrom("peopleImportRows")
    .where("importId", "=", id)
    .where((e) =>
      e.or([
        e("emailKey", "in", keys.select("given.emailKey")),
        e("numberKey", "in", keys.select("given.numberKey")),
        e(sql<string>`said->>'manager'`, "in", keys.select("given.emailKey")),
        e(sql<string>`said->>'manager'`, "in", keys.select("given.numberKey")),
        e("number", "in", numbers),
      ]),
    )
    .select("number")
    .execute();
  return rows.map(({ number }) => number);
}

/**
 * Rejects new people for whom the company has no seat, from the end of the file. Considers all rows, because
 * correcting or leaving out one can free a seat for another.
 */
export async function rejectBeyondLimit(tx: Tx, { id, companyId }: JudgedImport) {
  const full = JSON.stringify([{ field: null, code: "full" }]);
  const company = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(["learnerLimit"])
    .executeTakeFirstOrThrow();
  if (company.learnerLimit === null) return;
  await sql`
    update people_import_rows
    set outcome = 'create',
      reasons = '[]'
    where import_id = ${id}
      and outcome = 'rejected'
      and reasons = ${full}::jsonb`.execute(tx);
  await sql`
    with seats as (
      select ${company.learnerLimit}::integer - count(*) as free
      from users
      where company_id = ${companyId}
        and status <> 'suspended'
    ), ranked as (
      select number, row_number() over (order by number) as place
      from people_import_rows
      where import_id = ${id}
        and outcome = 'create'
        and applied_at is null
    )
    update people_import_rows
    set outcome = 'rejected',
      reasons = ${full}::jsonb
    from ranked, seats
    where people_import_rows.import_id = ${id}
      and people_import_rows.number = ranked.number
      and ranked.place > greatest(seats.free, 0)`.execute(tx);
}
