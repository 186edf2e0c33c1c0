import { sql } from "kysely";
import { type Recount, recountNext } from "#server/completionRules/recount.ts";
import type { RuleChangeRecord } from "#server/completionRules/ruleChangeRecord.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { testsOf } from "#shared/courses/completion.ts";

/** Counts the next learners. Their rows, the figures and the cursor are stored together. */
export async function countTurn(services: Services, change: RuleChangeRecord) {
  const { db } = services;
  const counted = await recountNext(services, change);
  await inTransaction(db, async (tx) => {
    const isMine = await addFigures(tx, change, counted, "counting");
    if (!isMine) return;
    await storeRows(tx, change.id, counted, false);
    if (counted.length === 0)
      await tx.updateTable("ruleChanges").set({ state: "counted" }).where("id", "=", change.id).execute();
  });
}

/** Adds to the figures of a change. Returns false if its state or its cursor has changed meanwhile. */
export async function addFigures(tx: Tx, change: RuleChangeRecord, counted: Recount[], state: "counting" | "applying") {
  const count = (isCounted: (one: Recount) => boolean) => counted.filter(isCounted).length;
  const met = testsOf(change.rule).map(
    (_, at) => (change.met[at] ?? 0) + count(({ tests }) => tests?.[at]?.isMet ?? false),
  );
  const { numUpdatedRows } = await tx
    .updateTable("ruleChanges")
    .set((e) => ({
      cursor: counted.at(-1)?.enrolmentId ?? change.cursor,
      counted: e("counted", "+", counted.length),
      events: e(
        "events",
        "+",
        counted.reduce((sum, { events }) => sum + events, 0),
      ),
      completeBefore: e(
        "completeBefore",
        "+",
        count(({ wasComplete }) => wasComplete),
      ),
      uncounted: e(
        "uncounted",
        "+",
        count(({ isWhole }) => !isWhole),
      ),
      becomes: e(
        "becomes",
        "+",
        count((one) => one.change === "becomes"),
      ),
      ends: e(
        "ends",
        "+",
        count((one) => one.change === "ends"),
      ),
      met: sql<number[]>`${met}::int[]`,
    }))
    .where("id", "=", change.id)
    .where("state", "=", state)
    .where(sql<boolean>`cursor is not distinct from ${change.cursor}::uuid`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function storeRows(tx: Tx, changeId: string, counted: Recount[], applied: boolean) {
  const rows = counted.flatMap(({ enrolmentId, attempt, change, metAt, completedAt, complete, tests }) =>
    attempt && change
      ? {
          changeId,
          enrolmentId,
          attemptId: attempt.id,
          change,
          happenedAt: metAt ?? completedAt,
          tests: JSON.stringify(tests ?? []),
          applied,
          completedBefore: JSON.stringify(complete.map(({ id, at }) => ({ id, at }))),
        }
      : [],
  );
  if (rows.length === 0) return;
  await tx
    .insertInto("ruleChangeRows")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["changeId", "enrolmentId"]).doUpdateSet((e) => ({
        attemptId: e.ref("excluded.attemptId"),
        change: e.ref("excluded.change"),
        happenedAt: e.ref("excluded.happenedAt"),
        tests: e.ref("excluded.tests"),
        applied: e.ref("excluded.applied"),
        completedBefore: e.ref("excluded.completedBefore"),
      })),
    )
    .execute();
}
