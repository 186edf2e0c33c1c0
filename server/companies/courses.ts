import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { readCompany } from "#server/companies/companyRows.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { createUndoStep, storeCompanyCourses } from "#server/courses/undo.ts";
import { withdrawEnrolments } from "#server/courses/withdrawals.ts";
import type { CompanyCourse } from "#shared/companies/companies.ts";
import type { User } from "#shared/core/users.ts";

/** Courses of a company: those assigned to everyone, and those of individual learners. */
export async function listCompanyCourses(ctx: Ctx<User>, companyId: string) {
  const company = await readCompany(ctx, companyId);
  const { rows } = await sql<CompanyCourse>`
    select
      courses.id,
      courses.title,
      everybody.course_id is not null as everybody,
      coalesce(
        min(enrolments.due_date) filter (where enrolments.status <> 'completed'),
        min(enrolments.due_date),
        everybody.due_date
      ) as due_from,
      coalesce(
        max(enrolments.due_date) filter (where enrolments.status <> 'completed'),
        max(enrolments.due_date),
        everybody.due_date
      ) as due_to,
      count(enrolments.id)::int as assigned,
      count(enrolments.id) filter (where enrolments.status = 'completed')::int as completed,
      count(enrolments.id)
        filter (where is_overdue(enrolments.due_date, ${company.timezone}, enrolments.status))::int as overdue
    from courses
    left join enrolments
      on enrolments.course_id = courses.id
      and enrolments.company_id = ${companyId}
      and enrolments.status <> 'withdrawn'
    left join company_courses everybody
      on everybody.course_id = courses.id
      and everybody.company_id = ${companyId}
    where courses.status <> 'archived'
      and (enrolments.id is not null or everybody.course_id is not null)
    group by courses.id, everybody.course_id, everybody.due_date
    order by lower(courses.title)`.execute(ctx.db);
  return { items: rows, total: rows.length };
}

/**
 * Withdraws a course from a company. Learners who have completed it keep access; the progress of others is kept in case
 * it is assigned again.
 */
export async function removeCompanyCourse(ctx: Ctx<User>, companyId: string, courseId: string) {
  await readCompany(ctx, companyId);
  return inTransaction(ctx.db, async (tx) => {
    const undoId = await createUndoStep(tx, ctx.user);
    await storeCompanyCourses(tx, undoId, courseId, [companyId]);
    const unassigned = await tx
      .deleteFrom("companyCourses")
      .where("companyId", "=", companyId)
      .where("courseId", "=", courseId)
      .executeTakeFirst();
    const enrolments = await tx
      .selectFrom("enrolments")
      .where("companyId", "=", companyId)
      .where("courseId", "=", courseId)
      .select("id")
      .execute();
    const ids = enrolments.map(({ id }) => id);
    const withdrawn = (await withdrawEnrolments(tx, undoId, ids)).length;
    if (withdrawn === 0 && Number(unassigned.numDeletedRows) === 0) throw notFound();
    await record(tx, ctx, { action: "companies.removeCourse", companyId, courseId, details: { withdrawn } });
    return { withdrawn, undoId };
  });
}
