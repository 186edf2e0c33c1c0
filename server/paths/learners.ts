import { type RawBuilder, sql } from "kysely";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { personnelNumber } from "#server/core/database/personnelNumber.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { readTitles } from "#server/paths/checks.ts";
import { isHere, isPathOverdue, isStepOverdue, PATH_SCOPE } from "#server/paths/pathRows.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { PathLearner, paths } from "#shared/paths/paths.ts";
import { titleOf } from "#shared/paths/steps.ts";

type Query = QueryOf<typeof paths.learners>;

const states: Record<PathLearner["state"], RawBuilder<boolean>> = {
  active: sql<boolean>`(path_enrolments.completed_at is null and not ${isPathOverdue})`,
  overdue: isPathOverdue,
  completed: sql<boolean>`path_enrolments.completed_at is not null`,
};

/** SQL: path enrolments for which the step has the state `is` or, without `is`, is open. */
function isAt(stepId: string, is: Query["is"]) {
  const shown = (condition: RawBuilder<unknown>) => sql<boolean>`exists (
      select from path_steps
      where path_steps.enrolment_id = path_enrolments.id
        and path_steps.step_id = ${stepId}
        and ${condition}
    )`;
  if (is === undefined) return shown(sql`path_steps.done_at is null`);
  if (is === "done") return shown(sql`path_steps.done_at is not null`);
  if (is === "overdue") return shown(isStepOverdue);
  if (is === "inProgress") return shown(sql`path_steps.done_at is null and not ${isStepOverdue}`);
  return sql<boolean>`(not ${shown(sql`true`)} and exists (
      select from path_versions
      where path_versions.path_id = path_enrolments.path_id
        and path_versions.no = path_enrolments.version_no
        and path_versions.steps @> ${JSON.stringify([{ id: stepId }])}::jsonb
    ))`;
}

const dueDate = sql<string | null>`(
    select min(path_steps.due_date)
    from path_steps
    where path_steps.enrolment_id = path_enrolments.id
      and path_steps.done_at is null
      and path_enrolments.completed_at is null
  )`;

/** The people on a path who are not withdrawn. */
export async function listLearners(ctx: Ctx<User>, id: string, query: Query) {
  const { db, user } = ctx;
  await db.selectFrom("paths").where("id", "=", id).select("id").executeTakeFirstOrThrow(notFound);
  const people = () =>
    db
      .selectFrom("pathEnrolments")
      .innerJoin("users", "users.id", "pathEnrolments.userId")
      .innerJoin("companies", "companies.id", "pathEnrolments.companyId")
      .where("pathEnrolments.pathId", "=", id)
      .where("pathEnrolments.withdrawnAt", "is", null)
      .where(inScope(user, PATH_SCOPE))
      .where(isHere);
  let rows = people();
  if (query.companyId) rows = rows.where("pathEnrolments.companyId", "=", query.companyId);
  if (query.state) rows = rows.where(states[query.state]);
  if (query.step) rows = rows.where(isAt(query.step, query.is));
  if (query.q) rows = rows.where(searchFor(query.q, ["users.name", "users.email"]));
  const order = orderBy(query.sort, {
    name: { notNull: sql`lower(coalesce(nullif(users.name, ''), users.email, ''))` },
    joinedAt: { notNull: sql`path_enrolments.joined_at` },
    dueDate,
  });
  return readPage(query, {
    ids: rows.orderBy(order).orderBy("pathEnrolments.id").select("pathEnrolments.id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: async (ids) => {
      const found = await people()
        .innerJoin("pathVersions", (join) =>
          join
            .onRef("pathVersions.pathId", "=", "pathEnrolments.pathId")
            .onRef("pathVersions.no", "=", "pathEnrolments.versionNo"),
        )
        .where(isOneOf("pathEnrolments.id", ids))
        .select([
          "pathEnrolments.id",
          "users.id as userId",
          "users.name",
          "users.email",
          personnelNumber.as("personnelNumber"),
          "companies.name as company",
          "pathEnrolments.versionNo as version",
          "pathEnrolments.joinedAt",
          "pathEnrolments.completedAt",
          "pathVersions.steps",
          dueDate.as("dueDate"),
          isPathOverdue.as("overdue"),
          sql<string[]>`array(
            select path_steps.step_id::text
            from path_steps
            where path_steps.enrolment_id = path_enrolments.id
              and path_steps.done_at is null
          )`.as("open"),
          sql<number>`(
            select count(*)::int
            from path_steps
            where path_steps.enrolment_id = path_enrolments.id
              and path_steps.done_at is not null
          )`.as("done"),
        ])
        .execute();
      const titles = await readTitles(
        db,
        found.flatMap(({ steps }) => steps),
      );
      return found.map(({ steps, open, overdue, ...row }): PathLearner => {
        const going = overdue ? "overdue" : "active";
        const next = steps.find((step) => open.includes(step.id));
        return {
          ...row,
          state: row.completedAt ? "completed" : going,
          steps: steps.length,
          step: next && !row.completedAt ? titleOf(next, titles) : null,
        };
      });
    },
  });
}
