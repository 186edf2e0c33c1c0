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
};
/** The courses that a row can mean, by code or title in lower case. */
type Courses = Map<string, { id: string; title: string }[]>;
type Judged = {
  number: number;
  outcome: Outcome;
  reasons: Reason[];
  userId: string | null;
  courseId: string | null;
  /** The course's own, or else what the row says. */
  title: string;
};
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
  await storeKeys(tx, file.id, judged);
  return judged;
}

const storeKeys = (tx: Tx, importId: string, judged: JudgedCompletion[]) =>
  sql`
    update people_import_rows
    set completion_key = judged.key
    from unnest(
      ${judged.map(({ number }) => number)}::integer[],
      ${judged.map(({ userId, courseId, title, said }) =>
        userId && said.completedOn ? `${userId} ${courseId ?? title.toLowerCase()} ${said.completedOn}` : null,
      )}::text[]
    ) judged (number, key)
    where people_import_rows.import_id = ${importId}
      and people_import_rows.number = judged.number`.execute(tx);

/** What is stored of a row that was accepted. */
export const toExternal = ({
  number,
  userId,
  courseId,
  title,
  said,
}: JudgedCompletion): ExternalCompletion & { row: number } => ({
  row: number,
  personId: userId as string,
  courseId,
  title,
  completedOn: said.completedOn as string,
  scorePercent: said.score ?? null,
  reference: said.reference,
});

const readRows = (tx: Tx, id: string, numbers: number[]) =>
  sql<Row>`
    select number, left_out, said, faults, email_key, number_key
    from people_import_rows
    where import_id = ${id}
      and number = any(${numbers}::integer[])
    order by number`
    .execute(tx)
    .then(({ rows }) => rows);

/** Accepts the earliest row about each completion, and rejects the others. Considers all rows of the file. */
export async function rejectRepeated(tx: Tx, id: string) {
  await sql`
    update people_import_rows
    set outcome = 'create',
      reasons = '[]'
    where import_id = ${id}
      and outcome = 'rejected'
      and jsonb_array_length(reasons) = 1
      and reasons->0->>'code' = 'duplicate'`.execute(tx);
  await sql`
    with named as (
      select number, min(number) over (partition by completion_key) as first
      from people_import_rows
      where import_id = ${id}
        and outcome in ('create', 'same')
        and completion_key is not null
    )
    update people_import_rows
    set outcome = 'rejected',
      reasons = jsonb_build_array(jsonb_build_object('field', null, 'code', 'duplicate', 'row', named.first))
    from named
    where people_import_rows.import_id = ${id}
      and people_import_rows.number = named.number
      and named.number > named.first`.execute(tx);
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
  const blame = (field: Reason["field"], code: Reason["code"]) => {
    if (!reasons.some((reason) => reason.field === field)) reasons.push({ field, code });
  };
  const holder = row.emailKey ? byEmail.get(row.emailKey) : undefined;
  const numbered = row.numberKey ? byNumber.get(row.numberKey) : undefined;
  const isHere = holder?.role === "learner" && holder.companyId === companyId;
  const person = numbered ?? (isHere ? holder : undefined);
  const named = courses.get(said.course.toLowerCase()) ?? [];
  const course = named.length === 1 ? named[0] : undefined;
  const found = {
    number,
    userId: person?.id ?? null,
    courseId: course?.id ?? null,
    title: course?.title ?? said.course,
  };
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
  return { ...found, outcome: reasons.length > 0 ? "rejected" : "create", reasons };
}
