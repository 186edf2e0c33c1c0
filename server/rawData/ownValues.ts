import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { correctValue } from "#server/rawData/corrections.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import { type OwnValue, OWN_CORRECTION, type rawData } from "#shared/rawData/rawData.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/**
 * What a learner sees of their own values in a course: current values of the variables that are visible to learners.
 * Values of a company belong to nobody alone. Those of an attempt are those of the latest one.
 */
export async function listOwnValues(ctx: Ctx<User>, courseId: string): Promise<{ items: OwnValue[] }> {
  const { db, user } = ctx;
  const { companyId } = user;
  if (companyId === null) return { items: [] };
  const variables = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("variableCourses.courseId", "=", courseId)
    .where("variables.status", "=", "active")
    .where("variables.learnerVisible", "=", true)
    .where("variables.scope", "!=", "company")
    .distinct()
    .orderBy("variables.label")
    .select([
      "variables.id",
      "variables.label",
      "variables.description",
      "variables.type",
      "variables.unit",
      "variables.constraints",
      "variables.scope",
      "variables.writeMode",
      "variables.learnerEditable",
    ])
    .execute();
  const attempt = await db
    .selectFrom("attempts")
    .where("courseId", "=", courseId)
    .where("preview", "=", false)
    .where(inScope(user, { company: "attempts.companyId", person: "attempts.userId" }))
    .where("userId", "=", user.id)
    .orderBy("no", "desc")
    .select("id")
    .executeTakeFirst();
  const origin = { userId: user.id, companyId, courseId, attemptId: attempt?.id ?? null };
  const subjects = variables.flatMap(({ id, scope }): [string, string][] => {
    const subject = subjectOf(scope, origin);
    return subject === null ? [] : [[id, subject]];
  });
  const values = await readCurrentValues(db, new Map(subjects));
  const rows = await readLiveRows(
    db,
    [...values.values()].map(({ currentId }) => currentId),
  );
  const items = variables.flatMap(({ id, scope: _, writeMode, learnerEditable, ...rules }): OwnValue[] => {
    const folded = values.get(id);
    const row = folded && rows.get(folded.currentId);
    if (!row) return [];
    return [
      {
        ...rules,
        variableId: id,
        valueId: row.id,
        value: folded.current,
        happenedAt: new Date(folded.currentAt).toISOString(),
        // A sum has no single value that is wrong, and a copy follows the value that a data flow has copied.
        editable: learnerEditable && writeMode !== "sum" && !row.isCopy,
      },
    ];
  });
  return { items };
}

/** The rows that count for these values, by the id of the first one: the row itself, or its latest correction. */
async function readLiveRows(db: Db, ids: number[]) {
  const rows = await db
    .selectFrom("variableValues")
    .where(sql<boolean>`(id = any(${ids}::bigint[]) or corrects = any(${ids}::bigint[]))`)
    .where("isCorrected", "=", false)
    .where("deletionId", "is", null)
    .select(["id", "corrects", sql<boolean>`origin_id is not null and flow_id is not null`.as("isCopy")])
    .execute();
  return new Map(rows.map(({ id, corrects, isCopy }) => [corrects ?? id, { id, isCopy }]));
}

/**
 * Replaces a learner's own current value by another one, as the correction of an admin does; 409 if it is not the
 * current one any more.
 */
export async function correctOwnValue(ctx: Ctx<User>, variableId: string, input: BodyOf<typeof rawData.correctMine>) {
  const { courseId, valueId, value } = input;
  const { items } = await listOwnValues(ctx, courseId);
  const own = items.find((item) => item.variableId === variableId);
  if (!own?.editable) throw notFound();
  if (own.valueId !== valueId) throw conflict("rawData.notCorrectable");
  return correctValue(ctx, valueId, { value, reason: OWN_CORRECTION });
}
