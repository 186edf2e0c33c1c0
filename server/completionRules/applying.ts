import { sql } from "kysely";
import { addFigures, storeRows } from "#server/completionRules/counting.ts";
import { mailReopened } from "#server/completionRules/mails.ts";
import { type Recount, recountAgain, recountNext, tolerate } from "#server/completionRules/recount.ts";
import type { RuleChangeRecord } from "#server/completionRules/ruleChangeRecord.ts";
import { type Db, inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { completeAttempt, reopenAttempt } from "#server/player/outcomes.ts";

const MAX_TRIES = 10;

/**
 * Applies a rule to the next learners: each in a transaction of their own, which also stores their row. A turn that is
 * repeated finds them complete and changes nothing.
 */
export async function applyTurn(services: Services, change: RuleChangeRecord) {
  const db = withCause(services.db, { actorId: change.madeBy, reason: "completionRules.apply" });
  const counted = await recountNext({ ...services, db }, change);
  const settled: Recount[] = [];
  for (const one of counted) {
    const instead = { ...one, change: null, isWhole: false };
    settled.push(await tolerate(change, services.log, instead, () => settle(services, db, change, one)));
  }
  const before = await beforeChange(db, change.id, settled);
  await inTransaction(db, async (tx) => {
    const isMine = await addFigures(tx, change, before, "applying");
    if (isMine && counted.length === 0) await finish(tx, change.id);
  });
  reactionsOf(services).request();
}

/**
 * Changes the outcome of a learner by the rule, again if a commit has changed the attempt meanwhile. Stores the row of
 * the learner unless `isUndo`.
 */
export async function settle(
  services: Services,
  db: Db,
  change: RuleChangeRecord,
  first: Recount,
  isUndo = false,
): Promise<Recount> {
  let one = first;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const isDone = await repeatOnDeadlock(() =>
      inTransaction(db, (tx) => changeOutcome(services, tx, change, one, isUndo)),
    ).catch(ignoreChanged);
    if (isDone) return one;
    const again = await recountAgain(db, change, one.enrolmentId);
    // Withdrawn or erased meanwhile.
    if (!again) return one;
    one = again;
  }
  throw new Error("an attempt changes all the time");
}

/** An attempt has changed since it was counted: what was done in the transaction is undone. */
export class AttemptChanged extends Error {}
export function ignoreChanged(error: unknown): false {
  if (error instanceof AttemptChanged) return false;
  throw error;
}

/** False, or `AttemptChanged`, if an attempt has changed since it was counted. */
async function changeOutcome(
  services: Services,
  tx: Tx,
  change: RuleChangeRecord,
  one: Recount,
  isUndo: boolean,
): Promise<boolean> {
  const { attempt } = one;
  if (!attempt) return one.wasComplete || releaseSessions(tx, one);
  if (one.change === "ends" && (change.keeps || isUndo)) {
    if (!isUndo) await storeRows(tx, change.id, [one], false);
    return true;
  }
  if (one.change === "becomes") {
    const at = { attemptId: attempt.id, rev: attempt.rev, at: one.metAt as string };
    if (!(await completeAttempt(tx, at))) return false;
    await reactionsOf(services).runWithin?.(tx, [attempt.id]);
  } else if (!(await reopenAll(services, tx, one.complete))) throw new AttemptChanged();
  if (!isUndo) await storeRows(tx, change.id, [one], true);
  return true;
}

/** Takes the completions of a learner back with all that follows from them. False if an attempt has changed. */
export async function reopenAll(services: Services, tx: Tx, attempts: { id: string; rev: number }[]) {
  for (const { id, rev } of attempts) {
    const completion = await reopenAttempt(tx, { attemptId: id, rev });
    if (!completion) return false;
    await reactionsOf(services).runWithdrawn(tx, completion);
  }
  const [first] = attempts;
  if (first) await mailReopened(services, tx, first.id);
  return true;
}

/**
 * Sessions in the memory of a server know the earlier rule for a while. A new revision makes them read the attempt
 * again. False if one has changed the attempt since it was counted.
 */
async function releaseSessions(tx: Tx, { counted }: Recount) {
  const { rows } = await sql<{ id: string; rev: number }>`
    update attempts
    set rev = rev + 1
    where ${isOneOf(
      "id",
      counted.map(({ id }) => id),
    )}
      and completed_at is null
      and last_activity_at > now() - interval '3 minutes'
    returning id, rev - 1 as rev`.execute(tx);
  return rows.every(({ id, rev }) => counted.find((one) => one.id === id)?.rev === rev);
}

/** What was so before the change, for learners whom an interrupted turn had changed already. */
async function beforeChange(db: Db, changeId: string, settled: Recount[]): Promise<Recount[]> {
  const changed = await db
    .selectFrom("ruleChangeRows")
    .where("changeId", "=", changeId)
    .where("applied", "=", true)
    .where(
      isOneOf(
        "enrolmentId",
        settled.map(({ enrolmentId }) => enrolmentId),
      ),
    )
    .select(["enrolmentId", "change"])
    .execute();
  const changes = new Map(changed.map(({ enrolmentId, change }) => [enrolmentId, change]));
  return settled.map((one) => {
    const change = changes.get(one.enrolmentId);
    return change ? { ...one, change: change as Recount["change"], wasComplete: change === "ends" } : one;
  });
}

const finish = (tx: Tx, id: string) =>
  tx
    .updateTable("ruleChanges")
    .set({ state: "applied", appliedAt: new Date().toISOString(), cursor: null })
    .where("id", "=", id)
    .execute();
