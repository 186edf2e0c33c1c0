import { sql } from "kysely";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { inScope, isCourseOfKey, isVariableOfKey } from "#server/core/database/scope.ts";
import { createDistribution, medianOf, type Tally, topOf } from "#server/variables/distributions.ts";
import type { Variable } from "#shared/variables/variables.ts";
import type { User } from "#shared/core/users.ts";

/** Definitions, with the numbers of their subjects and learners in the scope of the user. */
export const selectVariables = ({ db, user }: Ctx<User>) => {
  const totals = db
    .selectFrom("variableTotals")
    .where(inScope(user, { company: "variableTotals.companyId" }))
    .groupBy("variableId")
    .select([
      "variableId",
      sql<number>`sum(subjects)::int`.as("subjects"),
      sql<number>`sum(learners)::int`.as("learners"),
      sql<string | null>`max(last_at)`.as("lastValueAt"),
    ]);
  return db
    .selectFrom("variables")
    .leftJoin(totals.as("totals"), "totals.variableId", "variables.id")
    .where(isVariableOfKey(user, "variables.id"))
    .select([
      "variables.id",
      "variables.key",
      "variables.label",
      "variables.description",
      "variables.type",
      "variables.unit",
      "variables.constraints",
      "variables.scope",
      "variables.writeMode",
      "variables.defaultValue",
      "variables.privacy",
      "variables.learnerVisible",
      "variables.learnerEditable",
      "variables.usableInPrompts",
      "variables.leaderboard",
      "variables.retentionDays",
      "variables.status",
      "variables.version",
      "variables.createdAt",
      "variables.updatedAt",
      "totals.lastValueAt",
    ])
    .select(({ fn, val }) => [
      fn.coalesce("totals.subjects", val(0)).as("subjects"),
      fn.coalesce("totals.learners", val(0)).as("learners"),
    ]);
};

type Row = Awaited<ReturnType<ReturnType<typeof selectVariables>["execute"]>>[number];

/** Adds the courses that use each variable, and the distribution of its values. */
export async function describeVariables(ctx: Ctx<User>, rows: Row[]): Promise<Variable[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const courses = await readCourses(ctx, ids);
  const tallies = await readTallies(ctx, ids);
  return rows.map((row) => {
    const ofVariable = tallies.get(row.id) ?? [];
    const isCharted = row.privacy !== "sensitive";
    return {
      ...row,
      courses: courses.get(row.id) ?? [],
      distribution: isCharted ? createDistribution(row, ofVariable) : null,
      median: isCharted ? medianOf(ofVariable) : null,
      top: isCharted && row.type !== "number" && row.type !== "duration" ? topOf(ofVariable, row.subjects) : null,
    };
  });
}

async function readCourses({ db, user }: Ctx<User>, ids: string[]) {
  const rows = await db
    .selectFrom("variableCourses")
    .innerJoin("courses", "courses.id", "variableCourses.courseId")
    .where(isOneOf("variableId", ids))
    .where(isCourseOfKey(user, "courses.id"))
    .orderBy(sql`lower(courses.title)`)
    .select(["variableId", "courseId", "variableCourses.key", "access", "path", "courses.title", "courses.code"])
    .execute();
  return Map.groupBy(rows, ({ variableId }) => variableId);
}

/** The tallies of variables in the scope of the user, optionally of one company, summed over companies. */
export async function readTallies({ db, user }: Ctx<User>, ids: string[], companyId?: string) {
  let query = db
    .selectFrom("variableTallies")
    .where(isOneOf("variableId", ids))
    .where(inScope(user, { company: "variableTallies.companyId" }));
  if (companyId) query = query.where("companyId", "=", companyId);
  const rows = await query
    .groupBy(["variableId", "label", "number"])
    .select(["variableId", "label", "number", sql<number>`sum(count)::int`.as("count")])
    .execute();
  return Map.groupBy(rows, ({ variableId }) => variableId) as Map<string, Tally[]>;
}

/** A defined variable; 404 for an unknown id and for a key without a definition. */
export async function readVariable(ctx: Ctx<User>, id: string): Promise<Variable> {
  const row = await selectVariables(ctx)
    .where("variables.id", "=", id)
    .where("variables.status", "in", ["active", "archived"])
    .executeTakeFirstOrThrow(notFound);
  const [variable] = await describeVariables(ctx, [row]);
  if (!variable) throw notFound();
  return variable;
}
