import { sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope, isCourseOfKey } from "#server/core/database/scope.ts";
import { ENROLMENT_SCOPE } from "#server/courses/enrolments.ts";
import type { courses } from "#shared/courses/courses.ts";
import { MAX_CHOICES, type QueryOf } from "#shared/core/route.ts";
import { scopeOf, type User } from "#shared/core/users.ts";

/**
 * Courses that the user may see. Courses belong to the academy, so admins see all of them; learners see those they are
 * enrolled in.
 */
const visibleCourses = ({ db, user }: Ctx<User>) =>
  db
    .selectFrom("courses")
    .where(isCourseOfKey(user, "courses.id"))
    .$if(user.role === "learner", (rows) =>
      rows.where("courses.status", "!=", "draft").where(
        sql<boolean>`exists (
          select from enrolments
          where enrolments.course_id = courses.id
            and enrolments.status <> 'withdrawn'
            and ${inScope(user, ENROLMENT_SCOPE)})`,
      ),
    );

/** SQL: the number of parts that can be opened, from a column with the table of contents; 0 without one. */
export const countParts = (column: string) =>
  sql<number>`(
    select count(*)::int
    from jsonb_array_elements(${sql.ref(column)}) part
    where part->>'href' is not null)`;

/** Courses that the user may see, with counts of the enrolments in the user's scope, computed row by row. */
export const selectCourses = (ctx: Ctx<User>) =>
  visibleCourses(ctx)
    .leftJoin("courseVersions as live", "live.id", "courses.liveVersionId")
    .innerJoinLateral(
      (e) =>
        e
          .selectFrom("enrolments")
          .whereRef("enrolments.courseId", "=", "courses.id")
          .where(sql<boolean>`enrolments.status <> 'withdrawn'`)
          .where(inScope(ctx.user, ENROLMENT_SCOPE))
          .select([
            sql<number>`count(distinct enrolments.company_id)::int`.as("companies"),
            sql<number>`count(*)::int`.as("learners"),
            sql<number>`count(*) filter (where enrolments.status = 'completed')::int`.as("completed"),
            sql<number>`count(*) filter (where enrolments.status in ('in_progress', 'failed'))::int`.as("inProgress"),
          ])
          .as("totals"),
      (join) => join.onTrue(),
    )
    .select([
      "courses.id",
      "courses.title",
      "courses.code",
      "courses.summary",
      "courses.minutes",
      "courses.kind",
      "courses.status",
      "courses.version",
      "courses.createdAt",
      "courses.updatedAt",
      "courses.completionRule",
      countParts("live.parts").as("parts"),
      sql<number>`coalesce(jsonb_array_length(live.warnings), 0)`.as("warnings"),
      "totals.companies",
      "totals.learners",
      "totals.completed",
      "totals.inProgress",
    ]);

/** The columns that identify a course in a search. */
const MATCHED_COLUMNS = ["courses.title", "courses.code"];

export async function listCourses(ctx: Ctx<User>, query: QueryOf<typeof courses.list>) {
  const matching = matchCourses(ctx, query);
  const sort = query.sort ?? "title";
  const order = orderBy(
    sort,
    {
      title: { notNull: sql`lower(courses.title)` },
      learners: { notNull: sql`coalesce(totals.learners, 0)` },
      completed: sql`totals.completed::real / nullif(totals.learners, 0)`,
      updatedAt: { notNull: sql`courses.updated_at` },
    },
    { text: query.q, columns: MATCHED_COLUMNS },
  );
  const counts = ctx.db
    .selectFrom("enrolments")
    .where(sql<boolean>`enrolments.status <> 'withdrawn'`)
    .where(inScope(ctx.user, ENROLMENT_SCOPE))
    .groupBy("enrolments.courseId")
    .select([
      "enrolments.courseId",
      sql<number>`count(*)`.as("learners"),
      sql<number>`count(*) filter (where enrolments.status = 'completed')`.as("completed"),
    ]);
  const sorted = /learners|completed/.test(sort)
    ? matching.leftJoin(counts.as("totals"), "totals.courseId", "courses.id").orderBy(order)
    : matching.orderBy(order);
  return readPage(query, {
    ids: sorted.orderBy("courses.id").select("courses.id"),
    total: matching.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => selectCourses(ctx).where(isOneOf("courses.id", ids)).execute(),
  });
}

/** Courses that are not archived, sorted by title, for filters and fields; with a company, only its courses. */
export async function listCourseChoices(ctx: Ctx<User>, query: QueryOf<typeof courses.choices>) {
  const items = await matchCourses(ctx, query)
    .orderBy(sql`lower(courses.title)`)
    .orderBy("courses.id")
    .limit(MAX_CHOICES)
    .select(["courses.id", "courses.title", "courses.code", "courses.status"])
    .execute();
  return { items, total: items.length };
}

type Filters = Pick<QueryOf<typeof courses.list>, "status" | "kind" | "companyId" | "q">;
function matchCourses(ctx: Ctx<User>, { status, kind, companyId, q }: Filters) {
  let rows = visibleCourses(ctx);
  rows = status ? rows.where("courses.status", "=", status) : rows.where("courses.status", "!=", "archived");
  if (kind) rows = rows.where("courses.kind", "=", kind);
  // Only admins of the academy may know the courses of another company.
  if (companyId && scopeOf(ctx.user).kind !== "academy" && companyId !== ctx.user.companyId)
    rows = rows.where(sql<boolean>`false`);
  if (companyId)
    rows = rows.where(
      sql<boolean>`(
        exists (
          select from enrolments
          where enrolments.course_id = courses.id
            and enrolments.company_id = ${companyId}
            and enrolments.status <> 'withdrawn')
        or exists (
          select from company_courses
          where company_courses.course_id = courses.id
            and company_courses.company_id = ${companyId}))`,
    );
  if (q) rows = rows.where(searchFor(q, [...MATCHED_COLUMNS, "courses.summary"]));
  return rows;
}
