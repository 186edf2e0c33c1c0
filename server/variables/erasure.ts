import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { noChanges, storeChanges, totalsOf } from "#server/variables/fold/derivedRows.ts";
import { countSubject, countSubjectsOfLearners } from "#server/variables/fold/fold.ts";
import {
  counts,
  momentOf,
  readStoredValue,
  selectValues,
  toFolded,
  type ValueRow,
} from "#server/variables/fold/values.ts";
import { lockFolding, refoldVariable } from "#server/variables/fold/recount.ts";
import { type FoldedValue, foldValue } from "#shared/variables/variableTypes.ts";

/**
 * Deletes the values of a person, also from statistics. What they added to the value of a company remains in a
 * checkpoint that names no person.
 */
export async function erasePersonValues(tx: Tx, userId: string) {
  const cursor = await lockFolding(tx);
  const companyVariables = await keepCheckpoints(tx, sql<boolean>`stored.user_id = ${userId}`);
  const changes = noChanges();
  const subjects = await tx
    .selectFrom("variableCurrent")
    .innerJoin("variables", "variables.id", "variableCurrent.variableId")
    .where("userId", "=", userId)
    .selectAll("variableCurrent")
    .select(["variables.scope", "variables.type"])
    .execute();
  const learners = await countSubjectsOfLearners(tx, subjects);
  for (const row of subjects) countSubject(changes, learners, { ...row, origin: row, folded: toFolded(row) }, -1);
  const refused = await tx
    .selectFrom("variableValues")
    .where("userId", "=", userId)
    .where("refusal", "is not", null)
    .where("preview", "=", false)
    .where(sql<boolean>`(tx, id) <= (${cursor.tx}::xid8, ${cursor.valueId}::bigint)`)
    .groupBy(["variableId", "companyId"])
    .select(["variableId", "companyId", (e) => e.fn.countAll<number>().as("count")])
    .execute();
  for (const { variableId, companyId, count } of refused) totalsOf(changes, variableId, companyId).refused -= count;
  await tx.deleteFrom("variableCurrent").where("userId", "=", userId).execute();
  await tx.deleteFrom("variableValues").where("userId", "=", userId).execute();
  await tx
    .updateTable("variableDeletions")
    .set({ userIds: sql`array_remove(user_ids, ${userId}::uuid)` })
    .where(sql<boolean>`${userId}::uuid = any(user_ids)`)
    .execute();
  await storeChanges(tx, changes);
  for (const id of companyVariables) await refoldVariable(tx, id);
}

/** Adds shared values of companies to checkpoints before they are removed; returns the ids of their variables. */
export async function keepCheckpoints(tx: Tx, isRemoved: RawBuilder<boolean>): Promise<Set<string>> {
  const rows = await selectValues(tx)
    .select(sql<string>`stored.tx::text`.as("tx"))
    .where(isRemoved)
    .where("variables.scope", "=", "company")
    .where("variables.privacy", "=", "none")
    .orderBy("stored.id")
    .execute();
  const stored = await tx
    .selectFrom("variableCheckpoints")
    .where(
      isOneOf(
        "variableId",
        rows.map(({ variableId }) => variableId),
      ),
    )
    .selectAll()
    .forUpdate()
    .execute();
  const checkpoints = new Map(stored.map((row) => [`${row.variableId} ${row.companyId}`, row]));
  for (const row of rows) {
    const value = counts(row) ? readStoredValue(row) : undefined;
    if (value === undefined) continue;
    const { variableId, companyId } = row;
    const key = `${variableId} ${companyId}`;
    const before: FoldedValue | null = checkpoints.get(key)?.folded ?? null;
    const folded = foldValue(row.writeMode, before, { ...momentOf(row), value });
    checkpoints.set(key, { variableId, companyId, folded });
  }
  for (const { variableId, companyId, folded } of checkpoints.values())
    await tx
      .insertInto("variableCheckpoints")
      .values({ variableId, companyId, folded: JSON.stringify(folded) })
      .onConflict((conflict) =>
        conflict.columns(["variableId", "companyId"]).doUpdateSet((e) => ({ folded: e.ref("excluded.folded") })),
      )
      .execute();
  const variableIds = new Set(rows.map(({ variableId }) => variableId));
  await keepForBackfills(tx, [...variableIds], rows);
  return variableIds;
}

/**
 * Keeps the sum of removed values that pending backfills have still to pass on (`flow_backfills.removed`), by company.
 */
async function keepForBackfills(tx: Tx, variableIds: string[], rows: (ValueRow & { tx: string })[]) {
  if (rows.length === 0) return;
  const backfills = await tx
    .selectFrom("flowBackfills")
    .innerJoin("flows", "flows.id", "flowBackfills.flowId")
    .where("flows.backfillPending", "=", true)
    .where(isOneOf("flows.sourceVariableId", variableIds))
    .orderBy("flows.id")
    .select(["flowId", "sourceVariableId", "untilTx", "untilValueId", "afterValueId", "removed"])
    // A running backfill moves `afterValueId`.
    .forUpdate("flowBackfills")
    .execute();
  for (const { flowId, sourceVariableId, untilTx, untilValueId, afterValueId, removed } of backfills) {
    const isUntil = ({ tx, id }: { tx: string; id: number }) =>
      tx === untilTx ? id <= untilValueId : BigInt(tx) < BigInt(untilTx);
    for (const row of rows) {
      const value = counts(row) ? readStoredValue(row) : undefined;
      if (value === undefined || row.variableId !== sourceVariableId || row.id <= afterValueId || !isUntil(row))
        continue;
      removed[row.companyId] = foldValue(row.writeMode, removed[row.companyId] ?? null, { ...momentOf(row), value });
    }
    await tx
      .updateTable("flowBackfills")
      .set({ removed: JSON.stringify(removed) })
      .where("flowId", "=", flowId)
      .execute();
  }
}
