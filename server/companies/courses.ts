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
    select c.id, c.title, everybody.course_id is not null as everybody,
      coalesce(min(e.due_date) filter (where e.status <> 'completed'), min(e.due_date), everybody.due_date) as due_from,
      coalesce(max(e.due_date) filter (where e.status <> 'completed'), max(e.due_date), everybody.due_date) as due_to,
      count(e.id)::int as assigned, count(e.id) filter (where e.status = 'completed')::int as completed,
      count(e.id) filter (where is_overdue(e.due_date, ${company.timezone}, e.status))::int as overdue
    from courses c
    left join enrolments e on e.course_id = c.id and e.company_id = ${companyId} and e.status <> 'withdrawn'
    left join company_courses everybody on everybody.course_id = c.id and everybody.company_id = ${companyId}
    where c.status <> 'archived' and (e.id is not null or everybody.course_id is not null)
    group by c.id, everybody.course_id, everybody.due_date order by lower(c.title)`.execute(ctx.db);
  return { items: rows, total: rows.length };
}

/**
 * Withdraws a course from a company. Learners who completed it keep access; the progress of others is kept for a new
 * assignment.
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
