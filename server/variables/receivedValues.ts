import { inTransaction } from "#server/core/db.ts";
import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http.ts";
import { badField, notFound } from "#server/core/problem.ts";
import { inScope } from "#server/core/scope.ts";
import { foldStoredValues } from "#server/variables/jobs.ts";
import { subjectOf } from "#server/variables/subjects.ts";
import type { BodyOf, Reply } from "#shared/route.ts";
import type { User } from "#shared/users.ts";
import type { variables } from "#shared/variables.ts";
import { parseVariableValue } from "#shared/variableValues.ts";

type Sent = BodyOf<typeof variables.sendValues>;

/**
 * Stores values that another system sends, in one transaction. A value whose id is known is not stored again. A value that its
 * definition refuses is stored with the reason and does not count, as those of courses.
 */
export async function receiveValues(ctx: Ctx<User>, { values }: Sent): Promise<Reply<typeof variables.sendValues>> {
  return inTransaction(ctx.db, async (tx) => {
    const definitions = new Map(
      (
        await tx
          .selectFrom("variables")
          .where("id", "in", [...new Set(values.map(({ variableId }) => variableId))])
          .where("status", "=", "active")
          .select(["id", "type", "constraints", "scope"])
          .execute()
      ).map((row) => [row.id, row]),
    );
    const people = new Map(
      (
        await tx
          .selectFrom("users")
          .where("id", "in", [...new Set(values.map(({ userId }) => userId))])
          .where("companyId", "is not", null)
          .where(inScope(ctx.user, { company: "companyId", person: "id" }))
          .select(["id", "companyId"])
          .execute()
      ).map((row) => [row.id, row.companyId as string]),
    );
    const courseIds = [...new Set(values.flatMap(({ courseId }) => courseId ?? []))];
    const known =
      courseIds.length === 0 ? [] : await tx.selectFrom("courses").where("id", "in", courseIds).select("id").execute();
    if (known.length < courseIds.length) throw notFound();
    const rows = values.map(({ id, variableId, userId, courseId, value, happenedAt }, index) => {
      const definition = definitions.get(variableId);
      const companyId = people.get(userId);
      if (!definition || !companyId) throw notFound();
      const origin = { userId, companyId, courseId, attemptId: null };
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
      .onConflict((conflict) => conflict.column("externalId").where("externalId", "is not", null).doNothing())
      .returning("externalId")
      .execute();
    await foldStoredValues.enqueue(tx, {}, { key: "variables:fold" });
    const isStored = new Set(stored.map(({ externalId }) => externalId));
    await record(tx, ctx, {
      action: "variables.receive",
      companyId: new Set(rows.map(({ companyId }) => companyId)).size === 1 ? (rows[0]?.companyId ?? null) : null,
      details: { values: stored.length },
    });
    return {
      items: rows.map(({ externalId, refusal }) => ({ id: externalId, stored: isStored.has(externalId), refusal })),
    };
  });
}
