import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { exportRows, readRows } from "#server/core/export/exportRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { exportAsOf, listPeopleAsOf, listRequirementsAsOf } from "#server/requirements/history/complianceAsOf.ts";
import { endOfDay } from "#server/requirements/history/held.ts";
import { isUnstarted } from "#server/requirements/cycles.ts";
import {
  exemptDays,
  exemptUntil,
  type RequirementScope,
  isHere,
  isInRequirementScope,
  listRequirements,
  opensAfter,
  readCompany,
  readTeam,
  type Scoped,
  stateOn,
} from "#server/requirements/requirementRows.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { complianceFileColumns, type ComplianceLine } from "#shared/requirements/complianceFile.ts";
import type { ComplianceCell, requirements } from "#shared/requirements/requirements.ts";

type Query = Omit<QueryOf<typeof requirements.export>, "format" | "asOf">;

/** What a company in the scope of the user requires, today or as of a day. */
export async function listRequired(ctx: Ctx<User>, companyId: string, { asOf }: QueryOf<typeof requirements.list>) {
  if (asOf === undefined) return listRequirements(ctx, companyId);
  const company = await readCompany(ctx, companyId);
  return listRequirementsAsOf(ctx.db, await endOfDay(ctx.db, company, asOf));
}

/** SQL: as in the index `users_listed_name`. */
const nameOrder = sql`lower(coalesce(nullif(users.name, ''), users.email))`;

/** SQL condition: requirements of the state that is asked for. */
const isInState = (today: string, state: Query["state"]) =>
  state === "lapsed"
    ? sql<boolean>`${stateOn(today)} in ('expired', 'overdue')`
    : sql<boolean>`${stateOn(today)} = ${state}`;

/** SQL condition: the person has a requirement that matches. */
const hasMatch = (companyId: string, today: string, { courseId, state }: Query) => sql<boolean>`exists (
    select from requirements
    join enrolments on enrolments.id = requirements.enrolment_id
    where requirements.user_id = users.id
      and requirements.company_id = ${companyId}
      ${courseId ? sql`and requirements.course_id = ${courseId}` : sql``}
      ${state ? sql`and ${isInState(today, state)}` : sql``}
  )`;

const isInGroup = (groupId: string) => sql<boolean>`exists (
    select from group_members
    where group_members.group_id = ${groupId}
      and group_members.person_id = users.id
      and group_members.until is null
  )`;

/** The people with a matching requirement. */
function matchPeople(db: Db, scope: RequirementScope, query: Query) {
  let people = db
    .selectFrom("users")
    .where("users.companyId", "=", scope.id)
    .where(isInRequirementScope(scope))
    .where("users.role", "=", "learner")
    .where("users.status", "<>", "suspended")
    .where(hasMatch(scope.id, scope.today, query));
  if (query.groupId) people = people.where(isInGroup(query.groupId));
  if (query.q) people = people.where(searchFor(query.q, ["users.name", "users.email"]));
  return people;
}

type CellRow = ComplianceCell & { userId: string };

/** The requirements of a company that match a condition, as cells of their people. */
const selectCells = (companyId: string, today: string, condition: RawBuilder<unknown>) => sql<CellRow>`
  select
    requirements.user_id,
    requirements.enrolment_id,
    requirements.course_id,
    ${stateOn(today)} as state,
    requirements.completed_on,
    requirements.valid_until,
    enrolments.due_date,
    requirements.opens_on,
    requirements.opened_on,
    ${exemptDays(today)},
    enrolments.status in ('in_progress', 'failed') as is_started,
    requirements.opened_by is not null
      and ${opensAfter(sql`${today}::date`)}
      and ${isUnstarted} as can_close
  from requirements
  join enrolments on enrolments.id = requirements.enrolment_id
  join users on users.id = requirements.user_id
  where requirements.company_id = ${companyId}
    and ${isHere}
    and ${condition}`;

/** The people of a company in the scope of the user, today or as of a day. */
export async function listPeople(ctx: Ctx<User>, companyId: string, query: QueryOf<typeof requirements.people>) {
  const company = await readCompany(ctx, companyId);
  if (query.asOf === undefined) return readPeople(ctx.db, company, query);
  return listPeopleAsOf(ctx.db, await endOfDay(ctx.db, company, query.asOf), query);
}

/** The people whom a manager leads. Only admins take an early opening back. */
export async function listTeam(ctx: Ctx<User>, query: QueryOf<typeof requirements.team>) {
  const found = await readPeople(ctx.db, await readTeam(ctx), query);
  const withoutActions = (cells: ComplianceCell[]) => cells.map((cell) => ({ ...cell, canClose: false }));
  return { ...found, items: found.items.map((person) => ({ ...person, cells: withoutActions(person.cells) })) };
}

function readPeople(db: Db, scope: RequirementScope, query: Query & { page: number; size: number }) {
  const people = matchPeople(db, scope, query);
  return readPage(query, {
    ids: people
      .orderBy(orderBy(query.sort, { name: { notNull: nameOrder } }))
      .orderBy("users.id")
      .select("users.id"),
    total: people.select((e) => e.fn.countAll<number>().as("total")),
    rows: async (ids) => {
      const found = await db
        .selectFrom("users")
        .where(isOneOf("users.id", ids))
        .select(["users.id", "users.name", "users.email", personnelNumber.as("personnelNumber")])
        .execute();
      const { rows } = await selectCells(scope.id, scope.today, isOneOf("requirements.user_id", ids)).execute(db);
      const cells = Map.groupBy(rows, ({ userId }) => userId);
      return found.map(({ id, ...person }) => ({
        id,
        userId: id,
        ...person,
        isErased: false,
        cells: (cells.get(id) ?? []).map(({ userId: _, ...cell }) => cell),
      }));
    },
  });
}

/** One cell of a company in the scope of the user; 404 for any other. */
export async function getCell(ctx: Scoped, companyId: string, enrolmentId: string): Promise<ComplianceCell> {
  const { today } = await readCompany(ctx, companyId);
  const { rows } = await selectCells(companyId, today, sql`requirements.enrolment_id = ${enrolmentId}`).execute(ctx.db);
  const [found] = rows;
  if (!found) throw notFound();
  const { userId: _, ...cell } = found;
  return cell;
}

export async function exportCompliance(
  ctx: Ctx<User>,
  companyId: string,
  { asOf, ...query }: QueryOf<typeof requirements.export>,
) {
  const company = await readCompany(ctx, companyId);
  if (asOf === undefined) return exportLines(ctx, company, query);
  return exportAsOf(ctx, await endOfDay(ctx.db, company, asOf), query, query.format);
}

export const exportTeam = async (ctx: Ctx<User>, query: QueryOf<typeof requirements.exportTeam>) =>
  exportLines(ctx, await readTeam(ctx), query);

/** The requirements of the people that match, a row each, as CSV or XLSX. */
async function exportLines(
  ctx: Ctx<User>,
  scope: RequirementScope,
  { format, ...query }: Query & { format: "csv" | "xlsx" },
) {
  const { today } = scope;
  const lines = matchPeople(ctx.db, scope, query)
    .innerJoin("requirements", "requirements.userId", "users.id")
    .innerJoin("enrolments", "enrolments.id", "requirements.enrolmentId")
    .innerJoin("courses", "courses.id", "requirements.courseId")
    .where("requirements.companyId", "=", scope.id)
    .$if(query.courseId !== undefined, (all) => all.where("requirements.courseId", "=", query.courseId ?? ""))
    .$if(query.state !== undefined, (all) => all.where(isInState(today, query.state)));
  const { total } = await lines.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = readRows(
    ctx,
    lines
      .orderBy(orderBy(query.sort, { name: { notNull: nameOrder } }))
      .orderBy("users.id")
      .orderBy(sql`lower(courses.title)`)
      .select([
        "users.name",
        "users.email",
        personnelNumber.as("personnelNumber"),
        "courses.title as course",
        "courses.code",
        stateOn(today).as("state"),
        "requirements.completedOn",
        "requirements.validUntil",
        "enrolments.dueDate",
        "requirements.openedOn",
        exemptUntil(today).as("exemptUntil"),
        "requirements.since",
      ])
      .$castTo<ComplianceLine>(),
  );
  return exportRows("compliance", format, rows, complianceFileColumns(today), total);
}
