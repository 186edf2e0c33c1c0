import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { announceStoredValues } from "#server/variables/storedValues.ts";
import { changeCopies, checkNoCopy, concernedColumns, copiesOf, refoldConcerned } from "#server/rawData/copies.ts";
import { lockFolding } from "#server/variables/fold/recount.ts";
import type { rawData } from "#shared/rawData/rawData.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";

/**
 * Replaces a value by another one of the same time. Both stay in the history; only the new one counts. Refused values
 * can be corrected, too. Throws 409 for copies, previews, and values that were already corrected or deleted.
 */
export const correctValue = (ctx: Ctx<User>, id: number, input: BodyOf<typeof rawData.correct>) =>
  repeatOnDeadlock(() => correctOnce(ctx, id, input));

async function correctOnce(ctx: Ctx<User>, id: number, { value, reason }: BodyOf<typeof rawData.correct>) {
  return inTransaction(ctx.db, async (tx) => {
    await lockFolding(tx);
    const row = await tx
      .selectFrom("variableValues as stored")
      .innerJoin("variables", "variables.id", "stored.variableId")
      .where("stored.id", "=", id)
      .where(inScope(ctx.user, { company: "stored.companyId", person: "stored.userId" }))
      .selectAll("stored")
      .select(["variables.type", "variables.constraints", "variables.status"])
      .forUpdate("stored")
      .executeTakeFirstOrThrow(notFound);
    if (row.isCorrected || row.deletionId !== null || row.preview) throw conflict("rawData.notCorrectable");
    await checkNoCopy(tx, row.id);
    const parsed = parseVariableValue(row, value);
    if (row.status === "active" && parsed.refusal) throw badField("value", `variables.refusals.${parsed.refusal}`);
    const stored = await tx
      .insertInto("variableValues")
      .values({
        variableId: row.variableId,
        userId: row.userId,
        companyId: row.companyId,
        courseId: row.courseId,
        versionId: row.versionId,
        attemptId: row.attemptId,
        sessionId: row.sessionId,
        seq: row.seq,
        sco: row.sco,
        source: "correction",
        actorId: ctx.user.id,
        value: JSON.stringify(parsed.refusal ? value : parsed.value),
        reason,
        corrects: row.corrects ?? row.id,
        happenedAt: row.happenedAt,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("variableValues")
      .set({ isCorrected: sql`true` })
      .where("id", "=", row.id)
      .execute();
    // The copies no longer count; those of the correction will.
    const isCopied = sql<boolean>`stored.id = ${row.id}`;
    const copies = await changeCopies(() =>
      tx
        .updateTable("variableValues")
        .set({ isCorrected: sql`true` })
        .where("id", "in", copiesOf(isCopied))
        .where("id", "<>", row.id)
        .where("isCorrected", "=", false)
        .returning(concernedColumns)
        .execute(),
    );
    await refoldConcerned(tx, [row, ...copies]);
    await announceStoredValues(tx);
    await record(tx, ctx, {
      action: "variables.correct",
      ...(row.userId && { people: [row.userId] }),
      companyId: row.companyId,
      courseId: row.courseId,
    });
    return stored;
  });
}
