import { sql } from "kysely";
import { reopen } from "#server/completionRules/applying.ts";
import { recountAgain } from "#server/completionRules/recount.ts";
import type { RuleChangeRecord } from "#server/completionRules/ruleChangeRecord.ts";
import { inTransaction, type Tx, withCause } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { completeAttempt } from "#server/player/outcomes.ts";

const ROWS_PER_TURN = 50;

type Row = { enrolmentId: string; attemptId: string; change: string; completedBefore: string | null };

/**
 * Takes the effects of a rule on the next learners back. Those who have met the earlier rule since stay complete.
 */
export async function undoTurn(services: Services, change: RuleChangeRecord) {
  const db = withCause(services.db, { actorId: change.madeBy, reason: "completionRules.undo" });
  const rows = await db
    .selectFrom("ruleChangeRows")
    .where("changeId", "=", change.id)
    .where("applied", "=", true)
    .orderBy("enrolmentId")
    .limit(ROWS_PER_TURN)
    .select(["enrolmentId", "attemptId", "change", "completedBefore"])
    .execute();
  for (const row of rows) {
    const meetsEarlier =
      row.change === "becomes" &&
      (await recountAgain(db, { ...change, rule: change.ruleBefore }, row.enrolmentId))?.change !== "ends";
    await inTransaction(db, async (tx) => {
      if (!meetsEarlier) await undoRow(services, tx, row);
      await tx
        .updateTable("ruleChangeRows")
        .set({ applied: false })
        .where("changeId", "=", change.id)
        .where("enrolmentId", "=", row.enrolmentId)
        .execute();
      await sql`
        update rule_changes
        set counted = counted + 1
        where id = ${change.id}`.execute(tx);
    });
  }
  if (rows.length === 0)
    await db
      .updateTable("ruleChanges")
      .set({ state: "undone" })
      .where("id", "=", change.id)
      .where("state", "=", "undoing")
      .execute();
  reactionsOf(services).request();
}

async function undoRow(services: Services, tx: Tx, { attemptId, change, completedBefore }: Row) {
  const attempt = await tx
    .selectFrom("attempts")
    .where("id", "=", attemptId)
    .forNoKeyUpdate()
    .select("rev")
    .executeTakeFirst();
  if (!attempt) return;
  const at = { attemptId, rev: attempt.rev };
  if (change === "becomes") await reopen(services, tx, at);
  else if (completedBefore && (await completeAttempt(tx, { ...at, at: completedBefore })))
    await reactionsOf(services).runWithin?.(tx, [attemptId]);
}
