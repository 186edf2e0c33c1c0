import { type RawBuilder, sql } from "kysely";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { findElsewhere, isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import { listHidden, shown } from "#server/core/database/measured.ts";
import { isSetByAdmin } from "#server/courses/setByAdmin.ts";
import type { courses } from "#shared/courses/courses.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** The columns of `enrolments` that determine the scope. */
export const ENROLMENT_SCOPE = { company: "enrolments.companyId", person: "enrolments.userId" };

export type EnrolmentSource = "manual" | "company" | "code" | "invitation";

/**
 * The cycle of a new enrolment: one more than that of any earlier enrolment of this learner in the course. A learner
 * who moves to another company starts a new cycle there; the old enrolment keeps its history.
 */
export const nextCycle = (userId: RawBuilder<unknown>, courseId: RawBuilder<unknown>) =>
  sql<number>`(
    select coalesce(max(cycle), 0) + 1
    from enrolments mine
    where mine.user_id = ${userId}
      and mine.course_id = ${courseId})`;
export const isEnrolled = (
  userId: RawBuilder<unknown>,
  courseId: RawBuilder<unknown>,
  companyId: RawBuilder<unknown>,
) =>
  sql<boolean>`exists (
    select from enrolments mine
    where mine.user_id = ${userId}
      and mine.course_id = ${courseId}
      and mine.company_id = ${companyId})`;

/**
 * Enrols a learner in all courses assigned to the company, except where they are enrolled already. Returns the number
 * of new enrolments.
 */
export async function enrolInCompanyCourses(tx: Tx, userId: string, companyId: string, source: EnrolmentSource) {
  const [learner, course, company] = [
    sql`${userId}::uuid`,
    sql.ref("company_courses.course_id"),
    sql.ref("company_courses.company_id"),
  ];
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("enrolments")
    .columns(["userId", "companyId", "courseId", "source", "dueDate", "cycle"])
    .expression(
      tx
        .selectFrom("companyCourses")
        .innerJoin("courses", "courses.id", "companyCourses.courseId")
        .where("companyCourses.companyId", "=", companyId)
        .where("courses.status", "!=", "archived")
        .where(sql<boolean>`not ${isEnrolled(learner, course, company)}`)
        .select([
          sql.lit(userId).as("userId"),
          "companyCourses.companyId",
          "courseId",
          sql.lit<EnrolmentSource>(source).as("source"),
          "companyCourses.dueDate",
          nextCycle(learner, course).as("cycle"),
        ]),
    )
    .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/** Enrols people who have just been created, and so have no enrolments, in all courses assigned to their company. */
export const enrolNewLearners = (tx: Tx, userIds: string[], companyId: string, source: EnrolmentSource) =>
  sql`
    insert into enrolments (user_id, company_id, course_id, source, due_date)
    select people.id, company_courses.company_id, courses.id, ${source}, company_courses.due_date
    from unnest(${userIds}::uuid[]) people (id)
    cross join company_courses
    join courses on courses.id = company_courses.course_id
    where company_courses.company_id = ${companyId}
      and courses.status <> 'archived'`.execute(tx);

/**
 * SQL: true after the end of the due date in the company's time zone. Requires `enrolments` and `companies` in the
 * query. The condition on the date alone lets it use the index on open enrolments by date: no zone is more than a day
 * ahead of UTC.
 */
export const isOverdue = sql<boolean>`(enrolments.due_date <= (now() at time zone 'UTC')::date
  and is_overdue(enrolments.due_date, companies.timezone, enrolments.status))`;

type EnrolmentQuery = QueryOf<typeof courses.enrolments> & { withdrawn?: boolean };

/** The people and courses that a search contains, for `filterEnrolments`. */
export const findSearched = async ({ db }: Pick<Ctx<User>, "db">, q = "") => [
  ...(await findElsewhere(q, ["enrolments.userId"], (word) =>
    db
      .selectFrom("users")
      .where(searchFor(word, ["users.name", "users.email"]))
      .select("id"),
  )),
  ...(await findElsewhere(q, ["enrolments.courseId"], (word) =>
    db
      .selectFrom("courses")
      .where(searchFor(word, ["courses.title"]))
      .select("id"),
  )),
];

/**
 * Enrolments in the scope of the user that match a filter. Withdrawn ones are included only on request, by `status` or
 * `withdrawn`.
 */
export function filterEnrolments(
  { db, user }: Ctx<User>,
  query: Omit<EnrolmentQuery, "page" | "size" | "sort">,
  searchMatches: Awaited<ReturnType<typeof findSearched>>,
) {
  // Excludes erased people, who only count in figures.
  let rows = db
    .selectFrom("enrolments")
    .where("enrolments.userId", "is not", null)
    .where(inScope(user, ENROLMENT_SCOPE));
  if (query.courseId) rows = rows.where("enrolments.courseId", "=", query.courseId);
  if (query.companyId) rows = rows.where("enrolments.companyId", "=", query.companyId);
  if (query.userId) rows = rows.where("enrolments.userId", "=", query.userId);
  if (query.status) rows = rows.where("enrolments.status", "=", query.status);
  else if (!query.withdrawn) rows = rows.where(sql<boolean>`enrolments.status <> 'withdrawn'`);
  if (query.overdue)
    rows = rows.where(
      sql<boolean>`exists (
        select from companies
        where companies.id = enrolments.company_id
          and ${isOverdue})`,
    );
  if (query.q) rows = rows.where(searchFor(query.q, [], searchMatches));
  return rows;
}

export async function listEnrolments(ctx: Ctx<User>, query: EnrolmentQuery) {
  const matching = filterEnrolments(ctx, query, await findSearched(ctx, query.q));
  const hidden = await listHidden(ctx.db, ctx.user);
  const order = orderBy(query.sort ?? "name", {
    name: { notNull: sql`lower(coalesce(nullif(users.name, ''), users.email))` },
    dueDate: sql`enrolments.due_date`,
    lastActivityAt: hidden.has("lastActivity") ? lastActivityFor(ctx.user) : sql`enrolments.last_activity_at`,
    progress: sql`enrolments.progress`,
  });
  const byName = /^-?name$/.test(query.sort ?? "name");
  const sorted = byName ? matching.innerJoin("users", "users.id", "enrolments.userId") : matching;
  return readPage(query, {
    ids: sorted.orderBy(order).orderBy("enrolments.id").select("enrolments.id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => enrolmentColumns(ctx.user, joinEnrolments(ctx.db).where(isOneOf("enrolments.id", ids))).execute(),
  });
}

const joinEnrolments = (db: Db) =>
  db
    .selectFrom("enrolments")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId");

const COMPANY = ENROLMENT_SCOPE.company;
const lastActivityFor = (user: User) =>
  shown(user, "lastActivity", COMPANY, sql<string | null>`enrolments.last_activity_at`);

/**
 * Selects the columns of `enrolment` (shared/courses/enrolments.ts) from a query that joins users, companies and
 * courses.
 */
export const enrolmentColumns = (user: User, rows: ReturnType<typeof joinEnrolments>) =>
  rows.select([
    "enrolments.id",
    "users.id as userId",
    "users.name",
    "users.email",
    personnelNumber.as("personnelNumber"),
    "enrolments.companyId",
    "companies.name as company",
    "enrolments.courseId",
    "courses.title as course",
    "enrolments.status",
    "enrolments.success",
    "enrolments.progress",
    shown(user, "scores", COMPANY, sql<number | null>`enrolments.score_percent`).as("scorePercent"),
    "enrolments.dueDate",
    isOverdue.as("overdue"),
    sql<number>`(
      select count(*)::int
      from attempts
      where attempts.enrolment_id = enrolments.id)`.as("attempts"),
    shown(user, "activeTime", COMPANY, sql<number>`enrolments.active_seconds`).as("activeSeconds"),
    shown(user, "activeTime", COMPANY, sql<number>`enrolments.reported_seconds`).as("reportedSeconds"),
    "enrolments.assignedAt",
    "enrolments.firstStartedAt as startedAt",
    "enrolments.completedAt",
    isSetByAdmin(sql.ref("enrolments.id")).as("setByAdmin"),
    lastActivityFor(user).as("lastActivityAt"),
  ]);

/**
 * Enrols one learner in one course, unless they are enrolled in it already or it is archived. Returns whether the
 * enrolment is new.
 */
export async function enrolLearner(tx: Tx, userId: string, companyId: string, courseId: string) {
  const [learner, course, company] = [sql`${userId}::uuid`, sql`${courseId}::uuid`, sql`${companyId}::uuid`];
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("enrolments")
    .columns(["userId", "companyId", "courseId", "source", "cycle"])
    .expression(
      tx
        .selectFrom("courses")
        .where("id", "=", courseId)
        .where("status", "!=", "archived")
        .where(sql<boolean>`not ${isEnrolled(learner, course, company)}`)
        .select([
          sql.lit(userId).as("userId"),
          sql.lit(companyId).as("companyId"),
          "id",
          sql.lit<EnrolmentSource>("manual").as("source"),
          nextCycle(learner, course).as("cycle"),
        ]),
    )
    .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}
