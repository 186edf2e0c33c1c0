import { sql } from "kysely";
import {
  byPerson,
  type CourseCells,
  courseColumns,
  csvFile,
  type MadeFile,
  type Pack,
  type PackColumn,
  type PersonCells,
  personCells,
  personColumns,
  rowsOf,
  type Source,
} from "#server/auditPacks/content/packFile.ts";
import texts from "#shared/locales/en/auditPackFiles.json" with { type: "json" };

const heads = texts.heads;
type Exempt = PersonCells & CourseCells & { record: string; from: string; until: string };

const columns: PackColumn<Exempt>[] = [
  [heads.record, (row) => row.record],
  ...personColumns,
  ...courseColumns,
  [heads.exemptFrom, (row) => row.from],
  [heads.exemptUntil, (row) => row.until],
];

/**
 * Exemptions that cover a day of the period, from the history of requirements, which stays when people are erased.
 * Those that ended before they began are left out.
 */
export function exemptionsFile(source: Source, pack: Pack): MadeFile {
  const query = sql<Exempt>`
    with stored as materialized (
      select id, enrolment_id, course_id, exempt_from, exempt_until
      from requirement_history
      where company_id = ${pack.companyId}
        and course_id = any(${pack.courseIds}::uuid[])
        and recorded_at < ${pack.at}::timestamptz
    ),
    latest as (
      select distinct on (enrolment_id, exempt_from) *
      from stored
      where exempt_from is not null
      order by enrolment_id, exempt_from, id desc
    )
    select
      latest.id::text as record, ${personCells(sql`enrolments.person_id`, pack)},
      latest.course_id, courses.title as course, courses.code,
      latest.exempt_from::text as "from", latest.exempt_until::text as "until"
    from latest
    join lateral (
      select person_id
      from enrolment_history
      where enrolment_history.enrolment_id = latest.enrolment_id
        and recorded_at < ${pack.at}::timestamptz
      order by id desc
      limit 1
    ) enrolments on true
    left join users on users.id = enrolments.person_id
    left join courses on courses.id = latest.course_id
    where latest.exempt_from <= ${pack.toDay}::date
      and latest.exempt_until >= ${pack.fromDay}::date
      and not exists (
        select from stored later
        where later.enrolment_id = latest.enrolment_id
          and later.id > latest.id
          and coalesce(later.exempt_from < latest.exempt_from, true)
      )
    order by ${byPerson}, enrolments.person_id, lower(courses.title), latest.id`;
  return csvFile("exemptions.csv", columns, rowsOf(source, query));
}
