import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { heldAsOf, type Moment, termsAsOf, wasInGroup } from "#server/requirements/history/held.ts";
import { countRequirements } from "#server/requirements/requirementRows.ts";
import texts from "#shared/locales/en/requirements.json" with { type: "json" };
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { complianceFileColumns, type ComplianceLine } from "#shared/requirements/complianceFile.ts";
import type {
  ComplianceCell,
  CompliancePerson,
  RequirementList,
  requirements,
} from "#shared/requirements/requirements.ts";

// Compliance as of a day that is over, from the history alone

type Query = Omit<QueryOf<typeof requirements.export>, "format" | "asOf">;

/** What the company required then, and how many people were in which state. */
export async function listRequirementsAsOf(db: Db, moment: Moment): Promise<RequirementList> {
  const { items, ...totals } = await countRequirements(db, {
    asked: sql`
      select *, requirement_id as id, true as is_applied, 1 as version
      from (${termsAsOf(moment)}) terms`,
    states: sql`
      select course_id, person_id as user_id, state, is_started
      from (${heldAsOf(moment)}) held`,
  });
  return { items, total: items.length, ...totals, today: moment.day, zone: moment.zone, recordedFrom: null };
}

/** SQL condition: requirements of `held` that are asked for. */
function isAskedFor({ courseId, state }: Query) {
  const isState = state === "lapsed" ? sql`held.state in ('expired', 'overdue')` : sql`held.state = ${state}`;
  return sql`true
        ${courseId ? sql`and held.course_id = ${courseId}` : sql``}
        ${state ? sql`and ${isState}` : sql``}`;
}

/** SQL: the email address of a person in `users`, unless another company knows them by it now. */
const emailHere = ({ companyId }: Moment) => sql`case when users.company_id = ${companyId} then users.email end`;

/**
 * SQL: `held`, and `people`: those with a requirement that is asked for, by their names of today. Those who were erased
 * since have none, and are found by no search.
 */
const peopleAsOf = (moment: Moment, query: Query) => sql`
    held as materialized (${heldAsOf(moment)}),
    people as materialized (
      select
        matching.person_id,
        coalesce(users.name, ${texts.erasedPerson}) as name,
        ${emailHere(moment)} as email,
        case when users.company_id = ${moment.companyId} then ${personnelNumber} end as personnel_number,
        users.id is null as is_erased
      from (
        select distinct person_id
        from held
        where ${isAskedFor(query)}
      ) matching
      left join users on users.id = matching.person_id
      where ${query.groupId ? wasInGroup(query.groupId, moment.at, sql`matching.person_id`) : sql`true`}
        and ${query.q ? searchFor(query.q, ["users.name", emailHere(moment)]) : sql`true`}
    )`;

/** SQL order of `people`. */
const inNameOrder = ({ sort }: Query) => sql`
      people.is_erased,
      lower(coalesce(nullif(people.name, ''), people.email)) ${sort === "-name" ? sql`desc` : sql``},
      people.person_id`;

type PersonRow = Omit<CompliancePerson, "cells"> & {
  cells: Omit<ComplianceCell, "canClose">[];
  total: number;
};

export async function listPeopleAsOf(db: Db, moment: Moment, query: QueryOf<typeof requirements.people>) {
  const { page, size } = query;
  const { rows } = await sql<PersonRow>`
    with ${peopleAsOf(moment, query)},
    shown as (
      select *, count(*) over ()::int as total, row_number() over (order by ${inNameOrder(query)}) as place
      from people
      order by place
      limit ${size} offset ${(page - 1) * size}
    )
    select
      shown.person_id as user_id, shown.name, shown.email, shown.personnel_number, shown.is_erased, shown.total,
      (
        select json_agg(json_build_object(
          'enrolmentId', held.enrolment_id,
          'courseId', held.course_id,
          'state', held.state,
          'completedOn', held.completed_on,
          'validUntil', held.valid_until,
          'dueDate', held.due_date,
          'opensOn', held.opens_on,
          'openedOn', held.opened_on,
          'exemptFrom', held.exempt_from,
          'exemptUntil', held.exempt_until,
          'isStarted', held.is_started
        ) order by held.course_id, held.enrolment_id)
        from held
        where held.person_id = shown.person_id
      ) as cells
    from shown
    order by shown.place`.execute(db);
  return {
    items: rows.map(({ total: _, cells, ...person }) => ({
      ...person,
      cells: cells.map((cell) => ({ ...cell, canClose: false })),
    })),
    total: rows[0]?.total ?? (page === 1 ? 0 : await countPeople(db, moment, query)),
    page,
    size,
  };
}

async function countPeople(db: Db, moment: Moment, query: Query) {
  const { rows } = await sql<{ count: number }>`
    with ${peopleAsOf(moment, query)}
    select count(*)::int as count
    from people`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The requirements that match, a row each, as CSV or XLSX. */
export async function exportAsOf(ctx: Ctx<User>, moment: Moment, query: Query, format: "csv" | "xlsx") {
  const lines = sql<ComplianceLine>`(
    with ${peopleAsOf(moment, query)}
    select
      people.name, people.email, people.personnel_number,
      coalesce(courses.title, ${texts.deletedCourse}) as course, coalesce(courses.code, '') as code,
      held.state, held.completed_on, held.valid_until, held.due_date, held.opened_on, held.exempt_until, held.since
    from people
    join held on held.person_id = people.person_id and ${isAskedFor(query)}
    left join courses on courses.id = held.course_id
    order by ${inNameOrder(query)}, lower(courses.title), held.enrolment_id
  )`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${lines} lines`.execute(ctx.db);
  const batches = readRows(ctx, ctx.db.selectFrom(lines.as("lines")).selectAll());
  return exportRows("compliance", format, batches, complianceFileColumns(moment.day), rows[0]?.count ?? 0);
}
