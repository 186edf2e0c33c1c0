import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Db, type Tx } from "#server/core/db.ts";
import type { Ctx } from "#server/core/http.ts";
import { notFound, Problem } from "#server/core/problem.ts";
import { type Listing, orderBy, searchFor } from "#server/core/listing.ts";
import type { enrolmentStatus } from "#shared/courses.ts";
import type { User } from "#shared/users.ts";
import type { z } from "zod";

type Source = "manual" | "company" | "code" | "invitation";

/**
 * The number of a new enrolment of a learner in a course: one more than any before. Somebody who moved begins a new cycle
 * in the new company; the old one stays with its history.
 */
const nextCycle = (userId: RawBuilder<unknown>, courseId: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(max(cycle), 0) + 1 from enrolments mine where mine.user_id = ${userId} and mine.course_id = ${courseId})`;
const isEnrolled = (userId: RawBuilder<unknown>, courseId: RawBuilder<unknown>, companyId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from enrolments mine where mine.user_id = ${userId} and mine.course_id = ${courseId} and mine.company_id = ${companyId})`;

/** Gives a learner every course that the whole company gets; those already there stay as they are. Returns how many were new. */
export async function enrolByCompany(tx: Tx, userId: string, companyId: string, source: Source) {
  const [person, course, company] = [
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
        .where(sql<boolean>`not ${isEnrolled(person, course, company)}`)
        .select([
          sql.lit(userId).as("userId"),
          "companyCourses.companyId",
          "courseId",
          sql.lit<Source>(source).as("source"),
          "companyCourses.dueDate",
          nextCycle(person, course).as("cycle"),
        ]),
    )
    .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

type Assignment = { companyIds: string[]; userIds: string[]; dueDate: string | null };

/**
 * Assigns a course to companies (all their learners, later ones too) and to single learners. A withdrawn enrolment comes
 * back with its progress. Returns how many learners got it now, and how many had it.
 */
export async function assignCourse(ctx: Ctx<User>, courseId: string, { companyIds, userIds, dueDate }: Assignment) {
  const { user } = ctx;
  return inTransaction(ctx.db, async (tx) => {
    const course = await tx
      .selectFrom("courses")
      .where("id", "=", courseId)
      .select("status")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    if (course.status === "archived") throw new Problem(409, "courses.archived");
    if (companyIds.length > 0) {
      await tx
        .insertInto("companyCourses")
        .columns(["companyId", "courseId", "dueDate", "assignedBy"])
        .expression(
          tx
            .selectFrom("companies")
            .where("id", "in", companyIds)
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
    const people = tx
      .selectFrom("users")
      .where("role", "=", "learner")
      .where((e) =>
        e.or([
          ...(companyIds.length > 0 ? [e("companyId", "in", companyIds)] : []),
          ...(userIds.length > 0 ? [e("id", "in", userIds)] : []),
          sql<boolean>`false`,
        ]),
      );
    const { n } = await people.select((e) => e.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
    const again = await tx
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
          people
            .select("id")
            .where(sql<boolean>`users.id = enrolments.user_id and users.company_id = enrolments.company_id`),
        ),
      )
      .executeTakeFirst();
    const [person, lesson, company] = [sql.ref("users.id"), sql`${courseId}::uuid`, sql.ref("users.company_id")];
    const added = await tx
      .insertInto("enrolments")
      .columns(["userId", "companyId", "courseId", "source", "assignedBy", "dueDate", "cycle"])
      .expression(
        people
          .where("companyId", "is not", null)
          .where(sql<boolean>`not ${isEnrolled(person, lesson, company)}`)
          .select([
            "id",
            (e) => e.ref("companyId").$notNull().as("companyId"),
            sql.lit(courseId).as("courseId"),
            sql.lit<Source>(companyIds.length > 0 ? "company" : "manual").as("source"),
            sql.lit(user.id).as("assignedBy"),
            sql<string | null>`${dueDate}::date`.as("dueDate"),
            nextCycle(person, lesson).as("cycle"),
          ]),
      )
      .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
      .executeTakeFirst();
    const fresh = Number(added.numInsertedOrUpdatedRows ?? 0) + Number(again.numUpdatedRows);
    await record(tx, ctx, {
      action: "courses.assign",
      courseId,
      companyId: companyIds.length === 1 ? companyIds[0] : null,
      details: { companies: companyIds.length, learners: userIds.length, added: fresh, dueDate },
    });
    return { added: fresh, already: n - fresh };
  });
}

/** Takes a course from learners; progress and history stay and come back with a new assignment. */
export async function withdrawLearners(ctx: Ctx<User>, courseId: string, userIds: string[]) {
  return inTransaction(ctx.db, async (tx) => {
    const done = await tx
      .updateTable("enrolments")
      .set({ status: "withdrawn" })
      .where("courseId", "=", courseId)
      .where("userId", "in", userIds)
      .where("status", "in", ["assigned", "in_progress", "failed"])
      .returning("userId")
      .execute();
    await record(tx, ctx, { action: "courses.withdraw", courseId, people: done.flatMap(({ userId }) => userId ?? []) });
    return { changed: done.length };
  });
}

export async function setDueDate(ctx: Ctx<User>, courseId: string, userIds: string[], dueDate: string | null) {
  return inTransaction(ctx.db, async (tx) => {
    const done = await tx
      .updateTable("enrolments")
      .set({ dueDate })
      .where("courseId", "=", courseId)
      .where("userId", "in", userIds)
      .returning("userId")
      .execute();
    await record(tx, ctx, {
      action: "courses.due",
      courseId,
      people: done.flatMap(({ userId }) => userId ?? []),
      details: { dueDate },
    });
    return { changed: done.length };
  });
}

/** True past the end of the due day in the company's zone. Needs `enrolments` and `companies` in the query. */
export const overdue = sql<boolean>`is_overdue(enrolments.due_date, companies.timezone, enrolments.status)`;

type EnrolmentQuery = Listing & {
  courseId?: string;
  companyId?: string;
  userId?: string;
  status?: z.infer<typeof enrolmentStatus>;
  overdue?: boolean;
  withdrawn?: boolean;
};

/** Enrolments that `user` may see: all for an admin, the own ones for a learner. Withdrawn ones only when asked for, by status or `withdrawn`. */
export async function listEnrolments({ db, user }: Ctx<User>, query: EnrolmentQuery) {
  let rows = db
    .selectFrom("enrolments")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId");
  if (user.role === "learner") rows = rows.where("enrolments.userId", "=", user.id);
  if (query.courseId) rows = rows.where("enrolments.courseId", "=", query.courseId);
  if (query.companyId) rows = rows.where("enrolments.companyId", "=", query.companyId);
  if (query.userId) rows = rows.where("enrolments.userId", "=", query.userId);
  rows = query.status
    ? rows.where("enrolments.status", "=", query.status)
    : query.withdrawn
      ? rows
      : rows.where("enrolments.status", "!=", "withdrawn");
  if (query.overdue) rows = rows.where(overdue);
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

type Joined = ReturnType<typeof joined>;
const joined = (db: Db) =>
  db
    .selectFrom("enrolments")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId");

/** The columns of `enrolment` (shared/courses.ts) on a query that joins users, companies and courses. */
export const enrolmentColumns = (rows: Joined) =>
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
    overdue.as("overdue"),
    sql<number>`(select count(*)::int from attempts where attempts.enrolment_id = enrolments.id)`.as("attempts"),
    "enrolments.activeSeconds",
    "enrolments.reportedSeconds",
    "enrolments.assignedAt",
    "enrolments.firstStartedAt as startedAt",
    "enrolments.completedAt",
    "enrolments.lastActivityAt",
  ]);

/** Gives one learner of a company one course, unless they have it there; archived courses are given to nobody. True when it is new. */
export async function enrolOne(tx: Tx, userId: string, companyId: string, courseId: string) {
  const [person, lesson, company] = [sql`${userId}::uuid`, sql`${courseId}::uuid`, sql`${companyId}::uuid`];
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("enrolments")
    .columns(["userId", "companyId", "courseId", "source", "cycle"])
    .expression(
      tx
        .selectFrom("courses")
        .where("id", "=", courseId)
        .where("status", "!=", "archived")
        .where(sql<boolean>`not ${isEnrolled(person, lesson, company)}`)
        .select([
          sql.lit(userId).as("userId"),
          sql.lit(companyId).as("companyId"),
          "id",
          sql.lit<Source>("manual").as("source"),
          nextCycle(person, lesson).as("cycle"),
        ]),
    )
    .onConflict((conflict) => conflict.columns(["userId", "courseId", "cycle"]).doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}
