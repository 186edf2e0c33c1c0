import { sql } from "kysely";
import {
  byPerson,
  type CourseCells,
  courseColumns,
  csvFile,
  minuteOf,
  type MadeFile,
  type Pack,
  type PackColumn,
  type PersonCells,
  personCells,
  personColumns,
  rowsOf,
  type Source,
} from "#server/auditPacks/content/packFile.ts";
import type { Db } from "#server/core/database/db.ts";
import { heldAsOf } from "#server/requirements/history/held.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };
import requirementTexts from "#shared/locales/en/requirements.json" with { type: "json" };
import type { CountsFrom, RequirementState } from "#shared/requirements/requirements.ts";

const heads = texts.heads;
type Terms = CourseCells & {
  record: string;
  months: number | null;
  countsFrom: CountsFrom;
  fixedMonth: number | null;
  fixedDay: number | null;
  skipDays: number;
  windowDays: number;
  graceDays: number;
  since: string;
  isFirstKnown: boolean;
  until: string | null;
};

const two = (number: number) => String(number).padStart(2, "0");
const termsColumns: PackColumn<Terms>[] = [
  ...courseColumns,
  [heads.inForceFrom, (row) => row.since],
  [heads.inForceUntil, (row) => row.until],
  [heads.beganEarlier, (row) => (row.isFirstKnown ? texts.files.yes : texts.files.no), (row) => row.isFirstKnown],
  [heads.months, (row) => row.months ?? texts.files.noEnd, (row) => row.months],
  [heads.countsFrom, (row) => texts.countsFrom[row.countsFrom], (row) => row.countsFrom],
  [heads.fixedDay, (row) => (row.fixedMonth && row.fixedDay ? `${two(row.fixedMonth)}-${two(row.fixedDay)}` : null)],
  [heads.skipDays, (row) => row.skipDays],
  [heads.windowDays, (row) => row.windowDays],
  [heads.graceDays, (row) => row.graceDays],
];

/** The terms that were in force at some time of the period. */
export function termsFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Terms>`
    select
      versions.*, courses.title as course, courses.code,
      ${minuteOf(sql`versions.recorded_at`, pack)} as since,
      ${minuteOf(sql`versions.ended_at`, pack)} as until
    from (
      select
        id::text as record, course_id, is_required, months, counts_from, fixed_month, fixed_day, skip_days, window_days,
        grace_days, recorded_at, backfilled as is_first_known,
        lead(recorded_at) over (partition by course_id order by id) as ended_at
      from course_requirement_history
      where company_id = ${pack.companyId}
        and course_id = any(${pack.courseIds}::uuid[])
        and recorded_at < ${pack.at}::timestamptz
    ) versions
    left join courses on courses.id = versions.course_id
    where versions.is_required
      and (versions.recorded_at at time zone ${pack.zone})::date <= ${pack.toDay}::date
      and coalesce((versions.ended_at at time zone ${pack.zone})::date >= ${pack.fromDay}::date, true)
    order by lower(courses.title), versions.course_id, versions.recorded_at`;
  return csvFile("requirements.csv", termsColumns, rowsOf(source, query));
}

type Held = PersonCells &
  CourseCells & {
    record: string;
    state: RequirementState;
    since: string;
    completedOn: string | null;
    validUntil: string | null;
    dueDate: string | null;
    openedOn: string | null;
    exemptUntil: string | null;
  };

const heldColumns: PackColumn<Held>[] = [
  [heads.record, (row) => row.record],
  ...personColumns,
  ...courseColumns,
  [heads.state, (row) => requirementTexts.states[row.state], (row) => row.state],
  [heads.completedOn, (row) => row.completedOn],
  [heads.validUntil, (row) => row.validUntil],
  [heads.due, (row) => row.dueDate],
  [heads.openedOn, (row) => row.openedOn],
  [heads.exemptUntil, (row) => row.exemptUntil],
  [heads.since, (row) => row.since],
];

/** A line for each requirement of each person. */
export function heldFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Held>`
    select
      held.enrolment_id::text as record,
      ${personCells(sql`held.person_id`, pack)},
      held.course_id, courses.title as course, courses.code,
      held.state, held.since::text, held.completed_on::text, held.valid_until::text, held.due_date::text,
      held.opened_on::text, held.exempt_until::text
    from (${heldAsOf(pack, pack.courseIds)}) held
    left join users on users.id = held.person_id
    left join courses on courses.id = held.course_id
    order by ${byPerson}, held.person_id, lower(courses.title), held.enrolment_id`;
  return csvFile("requirements-by-person.csv", heldColumns, rowsOf(source, query));
}

type MatrixRow = PersonCells & { cells: Record<string, { state: RequirementState; until: string | null }> };

/** The matrix: a line for each person, and for each course its state and how long it is valid. */
export async function matrixFile(source: Source, pack: Pack): Promise<MadeFile> {
  const courses = await readCourses(source.pools.exports.db, pack.courseIds);
  const columns: PackColumn<MatrixRow>[] = [
    ...personColumns,
    ...courses.flatMap(({ id, title }): PackColumn<MatrixRow>[] => [
      [
        `${title}: ${heads.state}`,
        ({ cells }) => (cells[id] ? requirementTexts.states[cells[id].state] : null),
        ({ cells }) => cells[id]?.state ?? null,
      ],
      [`${title}: ${heads.validUntil}`, ({ cells }) => cells[id]?.until ?? null],
    ]),
  ];
  const query = sql<MatrixRow>`
    select ${personCells(sql`held.person_id`, pack)}, held.cells
    from (
      select
        person_id,
        json_object_agg(course_id, json_build_object('state', state, 'until', valid_until)) as cells
      from (${heldAsOf(pack, pack.courseIds)}) held
      group by person_id
    ) held
    left join users on users.id = held.person_id
    order by ${byPerson}, held.person_id`;
  return csvFile("matrix.csv", columns, rowsOf(source, query));
}

/** The courses of a pack with their titles of today, in its order. */
export async function readCourses(db: Db, ids: string[]) {
  const { rows } = await sql<{ id: string; title: string }>`
    select asked.id, coalesce(courses.title, ${texts.files.deleted}) as title
    from unnest(${ids}::uuid[]) with ordinality asked (id, place)
    left join courses on courses.id = asked.id
    order by asked.place`.execute(db);
  return rows;
}
