import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { selectAssignees } from "#server/courses/assignees.ts";
import { notifyAssigned } from "#server/courses/assignmentMails.ts";
import { STATUS_BEFORE_WITHDRAWAL } from "#server/courses/bulkChanges.ts";
import { type EnrolmentSource, isEnrolled, nextCycle } from "#server/courses/enrolments.ts";
import { createUndoStep, storeCompanyCourses, storeEnrolments, storeNewEnrolments } from "#server/courses/undo.ts";
import type { User } from "#shared/core/users.ts";
import type { Assignment, AssignmentResult } from "#shared/courses/enrolments.ts";

/** Delay of emails, so that an assignment that is undone immediately notifies nobody. */
const NOTIFY_DELAY_MS = 10_000;

/**
 * Assigns courses to companies (all their learners, including those who join later) and to individual learners.
 * Withdrawn enrolments are restored with their progress. Returns how many enrolments were added, how many there were
 * already, and the step that undoes it. Within a transaction, the caller repeats that after a deadlock.
 */
export async function assignCourses(
  ctx: Ctx<User>,
  courseIds: string[],
  assignment: Assignment,
): Promise<AssignmentResult> {
  const assign = () => inTransaction(ctx.db, (tx) => assignOnce(tx, ctx, courseIds, assignment));
  return ctx.db.isTransaction ? assign() : repeatOnDeadlock(assign);
}

async function assignOnce(tx: Tx, ctx: Ctx<User>, courseIds: string[], assignment: Assignment) {
  const undoId = await createUndoStep(tx, ctx.user);
  const total = { added: 0, already: 0 };
  // In the order of the ids, so that two assignments cannot lock each other's courses.
  for (const courseId of [...new Set(courseIds)].toSorted()) {
    const { added, already } = await assignCourse(tx, ctx, undoId, courseId, assignment);
    total.added += added;
    total.already += already;
  }
  if (assignment.notify && total.added > 0)
    await notifyAssigned.enqueue(tx, { stepId: undoId }, { runAt: new Date(Date.now() + NOTIFY_DELAY_MS) });
  return { ...total, undoId };
}

async function assignCourse(tx: Tx, ctx: Ctx<User>, undoId: string, courseId: string, assignment: Assignment) {
  const { user } = ctx;
  const { companyIds, userIds, dueDate } = assignment;
  const { status } = await tx
    .selectFrom("courses")
    .where("id", "=", courseId)
    .select("status")
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (status === "archived") throw new Problem(409, "courses.archived");
  if (companyIds.length > 0) await assignToCompanies(tx, user, undoId, courseId, assignment);

  const learners = selectAssignees(tx, user, assignment);
  const { total } = await learners.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const withdrawn = await tx
    .selectFrom("enrolments")
    .where("courseId", "=", courseId)
    .where("status", "=", "withdrawn")
    .where(({ exists }) =>
      exists(
        learners
          .select("id")
          .where(sql<boolean>`users.id = enrolments.user_id and users.company_id = enrolments.company_id`),
      ),
    )
    .select("id")
    .forUpdate()
    .execute();
  const restoredIds = withdrawn.map(({ id }) => id);
  await storeEnrolments(tx, undoId, restoredIds);
  await sql`
    update enrolments
    set status = ${STATUS_BEFORE_WITHDRAWAL},
      due_date = ${dueDate}::date,
      assigned_by = ${user.id}
    where ${isOneOf("id", restoredIds)}`.execute(tx);

  const [learner, course, company] = [sql.ref("users.id"), sql`${courseId}::uuid`, sql.ref("users.company_id")];
  const inserted = await tx
    .insertInto("enrolments")
    .columns(["userId", "companyId", "courseId", "source", "assignedBy", "dueDate", "cycle"])
    .expression(
      learners
        .where("users.companyId", "is not", null)
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
    .returning("id")
    .execute();
  await storeNewEnrolments(
    tx,
    undoId,
    inserted.map(({ id }) => id),
  );
  await sql`
    insert into enrolment_reasons (enrolment_id, company_id, kind, made_by)
    select enrolments.id, enrolments.company_id, ${companyIds.length > 0 ? "company" : "person"}, ${user.id}
    from enrolments
    join (${learners.select(["users.id", "users.companyId"])}) people
      on people.id = enrolments.user_id
      and people.company_id = enrolments.company_id
    where enrolments.course_id = ${courseId}
      and enrolments.status <> 'withdrawn'
    on conflict do nothing`.execute(tx);
  const added = inserted.length + restoredIds.length;
  await record(tx, ctx, {
    action: "courses.assign",
    courseId,
    companyId: companyIds.length === 1 ? companyIds[0] : null,
    details: { companies: companyIds.length, learners: userIds.length, added, dueDate },
  });
  return { added, already: total - added };
}

async function assignToCompanies(
  tx: Tx,
  user: User,
  undoId: string,
  courseId: string,
  { companyIds, dueDate }: Pick<Assignment, "companyIds" | "dueDate">,
) {
  const companies = await tx
    .selectFrom("companies")
    .where("id", "in", companyIds)
    .where(inScope(user, { company: "companies.id" }))
    .select(["id", "status"])
    .execute();
  if (companies.length < new Set(companyIds).size) throw notFound();
  const active = companies.filter(({ status }) => status !== "archived").map(({ id }) => id);
  await storeCompanyCourses(tx, undoId, courseId, active);
  await sql`
    insert into company_courses (company_id, course_id, due_date, assigned_by)
    select unnest(${active}::uuid[]), ${courseId}, ${dueDate}::date, ${user.id}
    on conflict (company_id, course_id) do update set due_date = excluded.due_date`.execute(tx);
}
