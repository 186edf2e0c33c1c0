import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { type ExternalCompletion, findKnown } from "#server/completions/external.ts";
import { type Accounts, findAccounts } from "#server/imports/checking/accounts.ts";
import { storeOutcomes } from "#server/imports/checking/outcomes.ts";
import type { Reason } from "#shared/imports/importReasons.ts";
import type { Outcome, SaidOfCompletion } from "#shared/imports/imports.ts";

type JudgedFile = { id: string; companyId: string; keepsUnknown: boolean };
type Row = {
  number: number;
  leftOut: boolean;
  said: SaidOfCompletion;
  faults: Reason[];
  emailKey: string | null;
  numberKey: string | null;
  /** An earlier row of the file about the same completion. */
  sameRow: number | null;
};
/** The courses that a row can mean, by code or title in lower case. */
type Courses = Map<string, { id: string; title: string }[]>;
type Judged = { number: number; outcome: Outcome; reasons: Reason[]; userId: string | null; courseId: string | null };
export type JudgedCompletion = Judged & { said: SaidOfCompletion };

/** Compares rows with the file, the people, the courses and what is known of them; stores the outcome of each. */
export async function judgeCompletions(tx: Tx, file: JudgedFile, numbers: number[]): Promise<JudgedCompletion[]> {
  const rows = await readRows(tx, file.id, numbers);
  const accounts = await findAccounts(tx, file.companyId, {
    emails: rows.flatMap(({ emailKey }) => emailKey ?? []),
    numbers: rows.flatMap(({ numberKey }) => numberKey ?? []),
  });
  const courses = await findCourses(
    tx,
    rows.map(({ said }) => said.course.toLowerCase()),
  );
  const today = await readToday(tx, file.companyId);
  const found = rows.map((row) => ({ ...judge({ ...file, today }, row, accounts, courses), said: row.said }));
  const known = await findKnown(
    tx,
    file.companyId,
    found.filter(({ outcome }) => outcome === "create").map(toExternal),
  );
  const judged = found.map((row) => (known.has(row.number) ? { ...row, outcome: "same" as const } : row));
  await storeOutcomes(tx, file.id, judged);
  return judged;
}

/** What is stored of a row that was accepted. */
export const toExternal = ({ number, userId, courseId, said }: JudgedCompletion): ExternalCompletion => ({
  row: number,
  personId: userId as string,
  courseId,
  title: said.course,
  completedOn: said.completedOn as string,
  scorePercent: said.score ?? null,
  reference: said.reference,
});

/**
 * The rows, each with the earlier row of the file about the same completion. The sum keeps PostgreSQL from reading all
 * earlier rows in their order instead of those with the key.
 */
async function readRows(tx: Tx, id: string, numbers: number[]) {
  const earlier = (key: "email_key" | "number_key") => sql`(
    select min(other.number + 0)
    from people_import_rows other
    where other.import_id = people_import_rows.import_id
      and ${sql.ref(`other.${key}`)} = ${sql.ref(`people_import_rows.${key}`)}
      and other.number < people_import_rows.number
      and not other.left_out
      and lower(other.said->>'course') = lower(people_import_rows.said->>'course')
      and other.said->>'completedOn' = people_import_rows.said->>'completedOn')`;
  const { rows } = await sql<Row>`
    select number, left_out, said, faults, email_key, number_key,
      least(${earlier("email_key")}, ${earlier("number_key")}) as same_row
    from people_import_rows
    where import_id = ${id}
      and number = any(${numbers}::integer[])
    order by number`.execute(tx);
  return rows;
}

async function findCourses(tx: Tx, names: string[]): Promise<Courses> {
  const { rows } = await sql<{ id: string; title: string; name: string }>`
    select courses.id, courses.title, asked.name
    from unnest(${[...new Set(names)]}::text[]) asked (name)
    join courses on lower(courses.code) = asked.name or lower(courses.title) = asked.name
    where courses.status <> 'draft'`.execute(tx);
  return Map.groupBy(rows, ({ name }) => name);
}

async function readToday(tx: Tx, companyId: string) {
  const { today } = await tx
    .selectFrom("companies")
    .where("id", "=", companyId)
    .select(sql<string>`(now() at time zone timezone)::date::text`.as("today"))
    .executeTakeFirstOrThrow();
  return today;
}

function judge(
  { companyId, keepsUnknown, today }: JudgedFile & { today: string },
  row: Row,
  { byEmail, byNumber }: Accounts,
  courses: Courses,
): Judged {
  const { number, said } = row;
  const reasons = [...row.faults];
  const blame = (field: Reason["field"], code: Reason["code"], other?: number) => {
    if (!reasons.some((reason) => reason.field === field)) reasons.push({ field, code, ...(other && { row: other }) });
  };
  const holder = row.emailKey ? byEmail.get(row.emailKey) : undefined;
  const numbered = row.numberKey ? byNumber.get(row.numberKey) : undefined;
  const isHere = holder?.role === "learner" && holder.companyId === companyId;
  const person = numbered ?? (isHere ? holder : undefined);
  const named = courses.get(said.course.toLowerCase()) ?? [];
  const found = { number, userId: person?.id ?? null, courseId: named.length === 1 ? (named[0]?.id ?? null) : null };
  if (row.leftOut) return { ...found, outcome: "leftOut", reasons: [] };
  if (holder?.role === "admin") blame("email", "isAdmin");
  else if (holder && numbered && holder.id !== numbered.id) blame("email", "differentPeople");
  else if (holder && !isHere) blame("email", "otherCompany");
  else if (!person && row.emailKey) blame("email", "unknownPerson");
  else if (!person && row.numberKey) blame("externalId", "unknownPerson");
  else if (!numbered && row.numberKey && person?.externalId) blame("email", "taken");
  if (said.course !== "" && named.length > 1) blame("course", "severalCourses");
  else if (said.course !== "" && named.length === 0 && !keepsUnknown) blame("course", "unknownCourse");
  if (said.completedOn !== null && said.completedOn > today) blame("completedOn", "inFuture");
  if (row.sameRow !== null && reasons.length === 0) blame(null, "duplicate", row.sameRow);
  return { ...found, outcome: reasons.length > 0 ? "rejected" : "create", reasons };
}
