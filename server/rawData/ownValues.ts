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
 * A learner's own values in a course: the current values of the variables that learners may see, without shared values
 * of companies. Values of attempts are those of the latest attempt.
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
        // A sum has no single wrong value, and a copy by a data flow follows its value.
        editable: learnerEditable && writeMode !== "sum" && !row.isCopy,
      },
    ];
  });
  return { items };
}

/** The rows that count for these values, the value itself or its latest correction, by the id of the value. */
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

/** Corrects a learner's own current value, like an admin's correction. Throws 409 if it is no longer current. */
export async function correctOwnValue(ctx: Ctx<User>, variableId: string, input: BodyOf<typeof rawData.correctMine>) {
  const { courseId, valueId, value } = input;
  const { items } = await listOwnValues(ctx, courseId);
  const current = items.find((item) => item.variableId === variableId);
  if (!current?.editable) throw notFound();
  if (current.valueId !== valueId) throw conflict("rawData.notCorrectable");
  return correctValue(ctx, valueId, { value, reason: OWN_CORRECTION });
}
