import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { notFound, Problem } from "#server/core/problem.ts";
import { orderBy, searchFor } from "#server/core/listing.ts";
import { inScope } from "#server/core/scope.ts";
import type { courses } from "#shared/courses.ts";
import type { BodyOf, QueryOf } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

/** The columns that say whose row of `enrolments` it is. */
export const ENROLMENT_SCOPE = { company: "enrolments.companyId", person: "enrolments.userId" };

type EnrolmentSource = "manual" | "company" | "code" | "invitation";

/**
 * The cycle of a new enrolment: one more than that of any earlier enrolment of this learner in the course. A learner who
 * moves to another company starts a new cycle there; the old enrolment keeps its history.
 */
const nextCycle = (userId: RawBuilder<unknown>, courseId: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(max(cycle), 0) + 1 from enrolments mine where mine.user_id = ${userId} and mine.course_id = ${courseId})`;
const isEnrolled = (userId: RawBuilder<unknown>, courseId: RawBuilder<unknown>, companyId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from enrolments mine where mine.user_id = ${userId} and mine.course_id = ${courseId} and mine.company_id = ${companyId})`;

/** Enrols a learner in all courses assigned to the company, except where they are enrolled already. Returns the number of new enrolments. */
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

type Assignment = BodyOf<typeof courses.assign>;

/**
 * Assigns a course to companies (all their learners, including those who join later) and to individual learners. Withdrawn
 * enrolments are restored with their progress. Returns how many learners were added, and how many had the course already.
 */
export async function assignCourse(ctx: Ctx<User>, courseId: string, { companyIds, userIds, dueDate }: Assignment) {
  const { user } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    const { status } = await tx
      .selectFrom("courses")
      .where("id", "=", courseId)
      .select("status")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (status === "archived") throw new Problem(409, "courses.archived");
    if (companyIds.length > 0) {
      const { known } = await tx
        .selectFrom("companies")
        .where("id", "in", companyIds)
        .where(inScope(user, { company: "companies.id" }))
        .select((e) => e.fn.countAll<number>().as("known"))
        .executeTakeFirstOrThrow();
      if (known < new Set(companyIds).size) throw notFound();
      await tx
        .insertInto("companyCourses")
        .columns(["companyId", "courseId", "dueDate", "assignedBy"])
        .expression(
          tx
            .selectFrom("companies")
            .where("id", "in", companyIds)
            .where(inScope(user, { company: "companies.id" }))
            .where("status", "!=", "archived")
            .select([
              "id",
              sql.lit(courseId).as("courseId"),
              sql<string | null>`${dueDate}::date`.as("dueDate"),
              sql.lit(user.id).as("assignedBy"),
            ]),
        )
        .onConflict((conflict) => conflict.columns(["companyId", "courseId"]).doUpdateSet({ dueDate }))
        .execute();
    }
    const learners = tx
      .selectFrom("users")
      .where("role", "=", "learner")
      .where(inScope(user, { company: "users.companyId" }))
      .where((e) =>
        e.or([
          ...(companyIds.length > 0 ? [e("companyId", "in", companyIds)] : []),
          ...(userIds.length > 0 ? [e("id", "in", userIds)] : []),
          sql<boolean>`false`,
        ]),
      );
    const { total } = await learners.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
    const restored = await tx
      .updateTable("enrolments")
      .set({
        status: sql`case when completed_at is not null then 'completed' when first_started_at is null then 'assigned' else 'in_progress' end`,
        dueDate,
        assignedBy: user.id,
      })
      .where("courseId", "=", courseId)
      .where("status", "=", "withdrawn")
      .where(({ exists }) =>
        exists(
          learners
            .select("id")
            .where(sql<boolean>`users.id = enrolments.user_id and users.company_id = enrolments.company_id`),
        ),
      )
      .executeTakeFirst();
    const [learner, course, company] = [sql.ref("users.id"), sql`${courseId}::uuid`, sql.ref("users.company_id")];
    const added = await tx
      .insertInto("enrolments")
      .columns(["userId", "companyId", "courseId", "source", "assignedBy", "dueDate", "cycle"])
      .expression(
        learners
          .where("companyId", "is not", null)
          .where(sql<boolean>`not ${isEnrolled(learner, course, company)}`)
          .select([
            "id",
            (e) => e.ref("companyId").$notNull().as("companyId"),
            sql.lit(courseId).as("courseId"),
            sql.lit<EnrolmentSource>(companyIds.length > 0 ? "company" : "manual").as("source"),
            sql.lit(user.id).as("assignedBy"),
            sql<string | null>`${dueDate}::date`.as("dueDate"),
            nextCycle(learner, course).as("cycle"),
          ]),
      )
      .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
      .executeTakeFirst();
    const addedCount = Number(added.numInsertedOrUpdatedRows ?? 0) + Number(restored.numUpdatedRows);
    await record(tx, ctx, {
      action: "courses.assign",
      courseId,
      companyId: companyIds.length === 1 ? companyIds[0] : null,
      details: { companies: companyIds.length, learners: userIds.length, added: addedCount, dueDate },
    });
    return { added: addedCount, already: total - addedCount };
  });
}

export async function setDueDate(ctx: Ctx<User>, courseId: string, userIds: string[], dueDate: string | null) {
  return inTransaction(ctx.db, async (tx) => {
    const changed = await tx
      .updateTable("enrolments")
      .set({ dueDate })
      .where("courseId", "=", courseId)
      .where("userId", "in", userIds)
      .where(inScope(ctx.user, ENROLMENT_SCOPE))
      .returning("userId")
      .execute();
    await record(tx, ctx, {
      action: "courses.due",
      courseId,
      people: changed.flatMap(({ userId }) => userId ?? []),
      details: { dueDate },
    });
    return { changed: changed.length };
  });
}

/** SQL: true after the end of the due date in the company's time zone. Requires `enrolments` and `companies` in the query. */
export const isOverdue = sql<boolean>`is_overdue(enrolments.due_date, companies.timezone, enrolments.status)`;

type EnrolmentQuery = QueryOf<typeof courses.enrolments> & { withdrawn?: boolean };

/** Lists the enrolments in the scope of the user. Withdrawn enrolments are included only on request, by `status` or `withdrawn`. */
export async function listEnrolments({ db, user }: Ctx<User>, query: EnrolmentQuery) {
  let rows = joinEnrolments(db).where(inScope(user, ENROLMENT_SCOPE));
  if (query.courseId) rows = rows.where("enrolments.courseId", "=", query.courseId);
  if (query.companyId) rows = rows.where("enrolments.companyId", "=", query.companyId);
  if (query.userId) rows = rows.where("enrolments.userId", "=", query.userId);
  if (query.status) rows = rows.where("enrolments.status", "=", query.status);
  else if (!query.withdrawn) rows = rows.where("enrolments.status", "!=", "withdrawn");
  if (query.overdue) rows = rows.where(isOverdue);
  if (query.q) rows = rows.where(searchFor(query.q, ["users.name", "users.email", "courses.title"]));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await enrolmentColumns(rows)
    .orderBy(
      orderBy(query.sort ?? "name", {
        name: sql`lower(users.name)`,
        dueDate: sql`enrolments.due_date`,
        lastActivityAt: sql`enrolments.last_activity_at`,
        progress: sql`enrolments.progress`,
      }),
    )
    .orderBy("enrolments.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}

const joinEnrolments = (db: Db) =>
  db
    .selectFrom("enrolments")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId");

/** Selects the columns of `enrolment` (shared/courses.ts) from a query that joins users, companies and courses. */
export const enrolmentColumns = (rows: ReturnType<typeof joinEnrolments>) =>
  rows.select([
    "enrolments.id",
    "users.id as userId",
    "users.name",
    "users.email",
    "enrolments.companyId",
    "companies.name as company",
    "enrolments.courseId",
    "courses.title as course",
    "enrolments.status",
    "enrolments.success",
    "enrolments.progress",
    "enrolments.scorePercent",
    "enrolments.dueDate",
    isOverdue.as("overdue"),
    sql<number>`(select count(*)::int from attempts where attempts.enrolment_id = enrolments.id)`.as("attempts"),
    "enrolments.activeSeconds",
    "enrolments.reportedSeconds",
    "enrolments.assignedAt",
    "enrolments.firstStartedAt as startedAt",
    "enrolments.completedAt",
    "enrolments.lastActivityAt",
  ]);

/** Enrols one learner in one course, unless they are enrolled in it already or it is archived. Returns whether the enrolment is new. */
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
