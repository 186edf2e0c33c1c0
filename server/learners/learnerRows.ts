import { sql } from "kysely";
import { userColumns } from "#server/auth/service.ts";
import type { Ctx } from "#server/core/http.ts";
import { searchFor } from "#server/core/listing.ts";
import { inScope } from "#server/core/scope.ts";
import type { LearnerSelection } from "#shared/learners.ts";
import type { User } from "#shared/users.ts";

// How rows of learners are read, filtered and selected for bulk actions

/** The columns that say whose row of `users` it is. */
export const USER_SCOPE = { company: "users.companyId", person: "users.id" };
/** Learners in the scope of the user, with statistics of their enrolments. */
export const selectLearners = ({ db, user }: Pick<Ctx<User>, "db" | "user">) => {
  const progress = db
    .selectFrom("enrolments")
    .innerJoin("companies as c", "c.id", "enrolments.companyId")
    .where("enrolments.status", "!=", "withdrawn")
    .groupBy("enrolments.userId")
    .select([
      "enrolments.userId",
      sql<number>`count(*)::int`.as("assigned"),
      sql<number>`count(*) filter (where enrolments.status = 'completed')::int`.as("completed"),
      sql<number>`count(*) filter (where enrolments.status = 'assigned')::int`.as("notStarted"),
      sql<number>`count(*) filter (where is_overdue(due_date, c.timezone, enrolments.status))::int`.as("overdue"),
      sql<number | null>`round(avg(score_percent)::numeric, 1)`.as("meanScore"),
      sql<number>`coalesce(sum(active_seconds), 0)::int`.as("activeSeconds"),
    ]);
  return db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.companyId")
    .leftJoin(progress.as("w"), "w.userId", "users.id")
    .where("users.role", "=", "learner")
    .where(inScope(user, USER_SCOPE))
    .select(userColumns)
    .select([
      "companies.name as company",
      "users.invitedAt",
      "users.invitationExpiresAt",
      "users.suspendedReason",
      "users.version",
      "w.meanScore",
    ])
    .select(({ fn, val }) => [
      fn.coalesce("w.assigned", val(0)).as("assigned"),
      fn.coalesce("w.completed", val(0)).as("completed"),
      fn.coalesce("w.overdue", val(0)).as("overdue"),
      fn.coalesce("w.activeSeconds", val(0)).as("activeSeconds"),
    ]);
};

type LearnerFilter = NonNullable<LearnerSelection["filter"]>;

export function filterLearners(rows: ReturnType<typeof selectLearners>, filter: LearnerFilter) {
  let filtered = rows;
  const { companyId, courseId, status, progress, q } = filter;
  if (companyId) filtered = filtered.where("users.companyId", "=", companyId);
  if (courseId)
    filtered = filtered.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("enrolments")
          .select("id")
          .whereRef("userId", "=", "users.id")
          .where("courseId", "=", courseId)
          .where("enrolments.status", "!=", "withdrawn"),
      ),
    );
  if (status) filtered = filtered.where("users.status", "=", status);
  if (progress === "overdue") filtered = filtered.where("w.overdue", ">", 0);
  if (progress === "notStarted") filtered = filtered.where("w.notStarted", ">", 0);
  if (progress === "completed")
    filtered = filtered.where("w.assigned", ">", 0).whereRef("w.completed", "=", "w.assigned");
  if (q) filtered = filtered.where(searchFor(q, ["users.name", "users.email", "companies.name"]));
  return filtered;
}

/** Ids of the selected learners in the scope of the user. */
export async function listSelectedLearners(ctx: Ctx<User>, { ids, filter = {} }: LearnerSelection) {
  if (ids) return [...new Set(ids)];
  const rows = await ctx.db
    .selectFrom(filterLearners(selectLearners(ctx), filter).as("selected"))
    .select("selected.id")
    .execute();
  return rows.map(({ id }) => id);
}
