import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, notFound } from "#server/core/http/problem.ts";
import { inScope, isCourseOfKey, isVariableOfKey } from "#server/core/database/scope.ts";
import { announceStoredValues } from "#server/variables/storedValues.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import type { BodyOf, Reply } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { variables } from "#shared/variables/variables.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";

type Sent = BodyOf<typeof variables.sendValues>;

/**
 * Stores values that another system sends, in one transaction. A value whose external id its company already has is not
 * stored again, and gets the same answer as the first time. A value that its definition refuses is stored with the
 * reason and does not count, like those of courses. Throws 404 for a person, variable or course out of scope.
 */
export async function receiveValues(ctx: Ctx<User>, { values }: Sent): Promise<Reply<typeof variables.sendValues>> {
  return inTransaction(ctx.db, async (tx) => {
    const definitions = new Map(
      (
        await tx
          .selectFrom("variables")
          .where(isOneOf("id", [...new Set(values.map(({ variableId }) => variableId))]))
          .where("status", "=", "active")
          .where(isVariableOfKey(ctx.user, "variables.id"))
          .select(["id", "type", "constraints", "scope"])
          .execute()
      ).map((row) => [row.id, row]),
    );
    const people = new Map(
      (
        await tx
          .selectFrom("users")
          .where(isOneOf("id", [...new Set(values.map(({ userId }) => userId))]))
          .where("companyId", "is not", null)
          .where(inScope(ctx.user, { company: "companyId", person: "id" }))
          .select(["id", "companyId"])
          .execute()
      ).map((row) => [row.id, row.companyId as string]),
    );
    const courseIds = [...new Set(values.flatMap(({ courseId }) => courseId ?? []))];
    const courses =
      courseIds.length === 0
        ? []
        : await tx
            .selectFrom("courses")
            .where(isOneOf("id", courseIds))
            .where(isCourseOfKey(ctx.user, "courses.id"))
            .select("id")
            .execute();
    if (courses.length < courseIds.length) throw notFound();
    const rows = values.map(({ id, variableId, userId, courseId, value, happenedAt }, index) => {
      const definition = definitions.get(variableId);
      const companyId = people.get(userId);
      if (!definition || !companyId) throw notFound();
      const origin = { userId, companyId, courseId, attemptId: null };
      if (definition.scope === "attempt") throw badField(`values.${index}.variableId`, "variables.needsAttempt");
      if (subjectOf(definition.scope, origin) === null)
        throw badField(`values.${index}.courseId`, "variables.needsCourse");
      const parsed = parseVariableValue(definition, value);
      return {
        variableId,
        userId,
        companyId,
        courseId,
        externalId: id,
        source: "api" as const,
        actorId: ctx.user.id,
        value: JSON.stringify(parsed.refusal ? value : parsed.value),
        refusal: parsed.refusal ?? null,
        happenedAt: happenedAt ?? new Date().toISOString(),
      };
    });
    const stored = await tx
      .insertInto("variableValues")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["companyId", "externalId"]).where("externalId", "is not", null).doNothing(),
      )
      .returning(["companyId", "externalId"])
      .execute();
    await announceStoredValues(tx);
    const companies = [...new Set(rows.map(({ companyId }) => companyId))];
    await record(tx, ctx, {
      action: "variables.receive",
      companyId: companies.length === 1 ? (companies[0] ?? null) : null,
      details: { values: stored.length },
    });
    const refusals = await readRefusals(tx, rows);
    const newKeys = new Set(stored.map(keyOf));
    return {
      items: rows.map((row) => ({
        id: row.externalId,
        // Of several values with the same id in a request, the first is stored.
        stored: newKeys.delete(keyOf(row)),
        refusal: refusals.get(keyOf(row)) ?? null,
      })),
    };
  });
}

type Key = { companyId: string; externalId: string | null };
const keyOf = ({ companyId, externalId }: Key) => `${companyId} ${externalId}`;

/** The refusals of values with these ids, which may have been stored by an earlier request. */
async function readRefusals(tx: Tx, rows: Key[]) {
  const stored = await tx
    .selectFrom("variableValues")
    .where(
      "externalId",
      "in",
      rows.map(({ externalId }) => externalId),
    )
    .where(isOneOf("companyId", [...new Set(rows.map(({ companyId }) => companyId))]))
    .select(["companyId", "externalId", "refusal"])
    .execute();
  return new Map(stored.map((row) => [keyOf(row), row.refusal]));
}
