import { createHash } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import { readRows } from "#server/core/export/exportRows.ts";
import type { Pools } from "#server/core/database/pools.ts";
import type { Moment } from "#server/requirements/history/held.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import type { PackFile } from "#shared/auditPacks/auditPacks.ts";
import type { MeasuredKind } from "#shared/core/measuredKinds.ts";
import { CSV_START, csvRow } from "#shared/core/csv.ts";

/** What a pack is about. Days are those of `zone`. */
export type Pack = Moment & {
  id: string;
  number: string;
  courseIds: string[];
  fromDay: string;
  toDay: string;
  /** What the company showed to nobody when the pack was ordered. */
  hidden: MeasuredKind[];
};
export type Source = { pools: Pools };

type Cell = string | number | null;
/**
 * A column of a file. `name`: what changes without a record changing, such as names of people and titles of courses,
 * and what an erasure removes. A function: the value of the record, if the cell is a word for it.
 */
export type PackColumn<Row> = [
  head: string,
  cellOf: (row: Row) => Cell,
  kind?: "name" | ((row: Row) => Cell | boolean),
];

/** A file of a pack, and its parts as they are made. `finish` is called after the last part. */
export type MadeFile = { path: string; parts: AsyncIterable<Buffer>; finish: () => PackFile };

/** Characters per part. */
const PART_CHARS = 64 * 1024;
const MODULUS = 2n ** 256n;

/** Rows as CSV. The sum of records does not depend on their order, which follows names. */
export function csvFile<Row>(path: string, columns: PackColumn<Row>[], batches: AsyncIterable<Row[]>): MadeFile {
  const hash = createHash("sha256");
  let bytes = 0;
  let count = 0;
  let records = 0n;
  const emit = (text: string) => {
    const part = Buffer.from(text);
    hash.update(part);
    bytes += part.length;
    return part;
  };
  const recordOf = (row: Row) => {
    const cells = columns
      .filter(([, , kind]) => kind !== "name")
      .map(([, cellOf, kind]) => (typeof kind === "function" ? kind(row) : cellOf(row)));
    return BigInt(`0x${createHash("sha256").update(JSON.stringify(cells)).digest("hex")}`);
  };
  const parts = async function* () {
    let text = CSV_START + csvRow(columns.map(([head]) => head));
    for await (const rows of batches)
      for (const row of rows) {
        text += csvRow(columns.map(([, cellOf]) => cellOf(row)));
        records = (records + recordOf(row)) % MODULUS;
        count++;
        if (text.length < PART_CHARS) continue;
        yield emit(text);
        text = "";
      }
    yield emit(text);
  };
  const finish = (): PackFile => ({
    path,
    rows: count,
    bytes,
    sha256: hash.digest("hex"),
    records: records.toString(16).padStart(64, "0"),
  });
  return { path, parts: parts(), finish };
}

/** A file whose content is known. */
export function textFile(path: string, text: string): MadeFile {
  const content = Buffer.from(text);
  const parts = async function* () {
    yield content;
  };
  return {
    path,
    parts: parts(),
    finish: () => ({
      path,
      rows: 0,
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
      records: null,
    }),
  };
}

/** The rows of a statement, batch by batch. */
export const rowsOf = <Row>(source: Source, query: RawBuilder<Row>) =>
  readRows<Row>(
    source,
    source.pools.exports.db
      .selectFrom(sql<Record<string, unknown>>`(${query})`.as("lines"))
      .selectAll()
      .$castTo<Row>(),
  );

// People in files

export type PersonCells = {
  personId: string | null;
  person: string;
  email: string | null;
  personnelNumber: string | null;
};

/**
 * SQL: the columns of `PersonCells` of a person in `users`, which is joined by `person`. Address and number of people
 * who are in another company now are that company's.
 */
export const personCells = (person: RawBuilder<unknown>, { companyId }: Pick<Pack, "companyId">) => sql`
      ${person} as person_id,
      coalesce(users.name, ${texts.files.erased}) as person,
      case when users.company_id = ${companyId} then users.email end as email,
      case when users.company_id = ${companyId} then ${personnelNumber} end as personnel_number`;

/** SQL order: by name, and people without one last. */
export const byPerson = sql`users.id is null, lower(users.name)`;

export const personColumns: PackColumn<PersonCells>[] = [
  [texts.heads.personId, (row) => row.personId, "name"],
  [texts.heads.person, (row) => row.person, "name"],
  [texts.heads.email, (row) => row.email, "name"],
  [texts.heads.personnelNumber, (row) => row.personnelNumber, "name"],
];

export type CourseCells = { courseId: string; course: string | null; code: string | null };
export const courseColumns: PackColumn<CourseCells>[] = [
  [texts.heads.courseId, (row) => row.courseId],
  [texts.heads.course, (row) => row.course ?? texts.files.deleted, "name"],
  [texts.heads.code, (row) => row.code, "name"],
];

/** SQL: the day of an instant in the zone of the pack, as text. */
export const dayOf = (instant: RawBuilder<unknown>, { zone }: Pick<Pack, "zone">) =>
  sql<string | null>`(${instant} at time zone ${zone})::date::text`;
/** SQL: the minute of an instant in the zone of the pack, as text. */
export const minuteOf = (instant: RawBuilder<unknown>, { zone }: Pick<Pack, "zone">) =>
  sql<string | null>`to_char(${instant} at time zone ${zone}, 'YYYY-MM-DD HH24:MI')`;
/** SQL condition: the instant is in the period of the pack. */
export const isInPeriod = (instant: RawBuilder<unknown>, { fromDay, toDay, zone }: Pack) =>
  sql<boolean>`(${instant} at time zone ${zone})::date between ${fromDay}::date and ${toDay}::date`;
