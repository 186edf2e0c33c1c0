import { sql } from "kysely";
import { AttemptChanged, ignoreChanged, reopenAll, settle } from "#server/completionRules/applying.ts";
import { recountAgain, recountNext, tolerate } from "#server/completionRules/recount.ts";
import type { RuleChangeRecord } from "#server/completionRules/ruleChangeRecord.ts";
import { type Db, inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { isStartedOver, takenBackAt } from "#server/courses/setByAdmin.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { restoreCompletion } from "#server/player/outcomes.ts";

const ROWS_PER_TURN = 50;
const MAX_TRIES = 10;

type Row = {
  enrolmentId: string;
  attemptId: string;
  change: "becomes" | "ends";
  completedBefore: { id: string; at: string }[];
};

/**
 * First takes the effects of a rule on the next learners back, unless they have met the earlier rule since. Then
 * completes those who have met the earlier rule while the later one applied.
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
  const earlier = { ...change, rule: change.ruleBefore };
  for (const row of rows)
    await tolerate(change, services.log, undefined, () => undoLearner(services, db, earlier, row)).then(() =>
      settleRow(db, change.id, row.enrolmentId),
    );
  if (rows.length === 0) await restoreNext(services, db, earlier);
  reactionsOf(services).request();
}

async function undoLearner(services: Services, db: Db, earlier: RuleChangeRecord, row: Row) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const recount = await recountAgain(db, earlier, row.enrolmentId);
    // Withdrawn or erased meanwhile, or complete by the earlier rule.
    if (!recount || (row.change === "becomes" && recount.change !== "ends")) return;
    const counted = recount.counted.find(({ id }) => id === row.attemptId);
    // The attempt is part of a closed cycle.
    if (row.change === "becomes" && !counted) return;
    const isDone = await repeatOnDeadlock(() =>
      inTransaction(db, (tx) => undoOutcome(services, tx, earlier, row, counted?.rev ?? -1)),
    ).catch(ignoreChanged);
    if (isDone) return;
  }
  throw new Error("an attempt changes all the time");
}

/** False, or `AttemptChanged`, if the attempt has changed since it was counted. */
async function undoOutcome(services: Services, tx: Tx, { madeAt }: RuleChangeRecord, row: Row, rev: number) {
  const { attemptId, change, completedBefore } = row;
  if (change === "becomes") return reopenAll(services, tx, [{ id: attemptId, rev }]);
  for (const { id, at } of completedBefore) {
    const attempt = await tx
      .selectFrom("attempts")
      .where("id", "=", id)
      .forNoKeyUpdate()
      .select(["rev", "completedAt"])
      .executeTakeFirst();
    if (!attempt || attempt.completedAt !== null || (await hasAdminDecided(tx, id, madeAt))) continue;
    if (!(await restoreCompletion(tx, { attemptId: id, rev: attempt.rev, at }))) throw new AttemptChanged();
    await reactionsOf(services).runWithin?.(tx, [id]);
  }
  return true;
}

/** An admin has started the course over, or has taken the completion of a locked attempt back, since a change. */
async function hasAdminDecided(tx: Tx, attemptId: string, since: string) {
  const { isOver, takenBack } = await tx
    .selectFrom("attempts")
    .where("id", "=", attemptId)
    .select([isStartedOver.as("isOver"), sql<boolean>`coalesce(${takenBackAt} > ${since}, false)`.as("takenBack")])
    .executeTakeFirstOrThrow();
  return isOver || takenBack;
}

const settleRow = (db: Db, changeId: string, enrolmentId: string) =>
  inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("ruleChangeRows")
      .set({ applied: false })
      .where("changeId", "=", changeId)
      .where("enrolmentId", "=", enrolmentId)
      .where("applied", "=", true)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n)
      await sql`
        update rule_changes
        set counted = counted + 1
        where id = ${changeId}`.execute(tx);
  });

/** Recounts the next learners by the earlier rule; at the end the change is undone. */
async function restoreNext(services: Services, db: Db, earlier: RuleChangeRecord) {
  const counted = await recountNext({ ...services, db }, earlier);
  for (const one of counted) await tolerate(earlier, services.log, one, () => settle(services, db, earlier, one, true));
  await db
    .updateTable("ruleChanges")
    .set((e) =>
      counted.length === 0
        ? { state: "undone" as const }
        : {
            cursor: counted.at(-1)?.enrolmentId ?? null,
            counted: e("counted", "+", counted.length),
          },
    )
    .where("id", "=", earlier.id)
    .where("state", "=", "undoing")
    .where(sql<boolean>`cursor is not distinct from ${earlier.cursor}::uuid`)
    .execute();
}
