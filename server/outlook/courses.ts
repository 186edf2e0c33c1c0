import { sql } from "kysely";
import { readCounted, searchFor } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { readReasons } from "#server/courses/reasons.ts";
import { isSetByAdmin } from "#server/courses/setByAdmin.ts";
import { getPerson } from "#server/outlook/person.ts";
import type { QueryOf } from "#shared/core/route.ts";
import { isAdmin, type User } from "#shared/core/users.ts";
import type { ExplainedCourse, outlooks } from "#shared/outlook/outlook.ts";

type Row = Omit<ExplainedCourse, "reasons"> & { id: string; total: number };

/**
 * The courses of a learner in their company, each with its reasons: open courses by due date, then completed and, for
 * admins, withdrawn ones. Learners read only reasons that still hold.
 */
export async function listExplainedCourses(
  ctx: Ctx<User>,
  id: string,
  query: QueryOf<typeof outlooks.courses>,
): Promise<{ items: ExplainedCourse[]; total: number }> {
  const person = await getPerson(ctx, id);
  const isForAdmin = isAdmin(ctx.user);
  const { items, total } = await readCounted(query, (limit, offset) =>
    sql<Row>`
      select
        enrolments.id, courses.id as course_id, courses.title as course, enrolments.status,
        enrolments.success, is_overdue(enrolments.due_date, ${person.zone}, enrolments.status) as overdue,
        ${isSetByAdmin(sql`enrolments.id`)} as set_by_admin, enrolments.due_date, (count(*) over ())::int as total
      from enrolments
      join courses on courses.id = enrolments.course_id
      where enrolments.user_id = ${id}
        and enrolments.company_id = ${person.companyId}
        and (${isForAdmin} or (enrolments.status <> 'withdrawn' and courses.status <> 'archived'))
        and ${query.q ? searchFor(query.q, ["courses.title", "courses.code"]) : sql`true`}
      order by enrolments.status = 'withdrawn', enrolments.status = 'completed', enrolments.due_date,
        lower(courses.title), courses.id
      limit ${limit}
      offset ${offset}`.execute(ctx.db),
  );
  const reasons = await readReasons(
    ctx,
    items.map((row) => row.id),
  );
  return {
    total,
    items: items.map(({ id: enrolmentId, total: _, ...row }) => ({
      ...row,
      reasons: (reasons.get(enrolmentId) ?? []).filter(({ until }) => isForAdmin || until === null),
    })),
  };
}
