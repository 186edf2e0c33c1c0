import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { selectCurrent, selectRemoved, selectSummed } from "#server/flows/backfillValues.ts";
import { isPrivateEnough, type Passing } from "#server/flows/dueValues.ts";
import { lockFolding } from "#server/variables/fold/recount.ts";
import { subjectOf } from "#server/variables/subjects.ts";

// The backfills of new flows: which one is next, and its progress

/** A flow that has still to pass on the current values of its source. */
type Backfill = { id: string; sourceVariableId: string; writeMode: string };

const selectPending = (tx: Tx) =>
  tx
    .selectFrom("flows")
    .innerJoin("variables", "variables.id", "flows.sourceVariableId")
    .leftJoin("variables as target", "target.id", "flows.targetVariableId")
    .where("flows.backfillPending", "=", true)
    .where("flows.isActive", "=", true)
    .where("variables.status", "=", "active")
    .where((e) => e.or([e("target.id", "is", null), e("target.status", "=", "active")]))
    .where(isPrivateEnough)
    .orderBy("flows.createdAt")
    .select(["flows.id", "flows.sourceVariableId", "flows.targetVariableId", "variables.writeMode"]);

/**
 * The next flow whose current values may pass now; null if there is none. A flow that is paused, or whose variables are
 * archived or too private, waits until its values may pass. Locks its variables until the transaction ends.
 */
export async function lockNextBackfill(tx: Tx): Promise<Backfill | null> {
  for (;;) {
    const flow = await selectPending(tx).limit(1).forUpdate("flows").executeTakeFirst();
    if (!flow) return null;
    const ends = [flow.sourceVariableId, ...(flow.targetVariableId ? [flow.targetVariableId] : [])];
    await tx.selectFrom("variables").where(isOneOf("id", ends)).orderBy("id").forShare().select("id").execute();
    const [locked] = await selectPending(tx).where("flows.id", "=", flow.id).execute();
    if (locked) return locked;
  }
}

/**
 * Continues a backfill with `pass`. A sum passes `size` of its values in a transaction, without blocking others: values
 * stored after it began pass as usual, and its values are locked while they pass. The current values of other variables
 * pass in one transaction, during which nothing is folded, corrected or deleted: every value either is part of the
 * backfill or passes later, never both.
 */
export async function passNext(tx: Tx, flow: Backfill, size: number, pass: (rows: Passing[]) => Promise<void>) {
  const begun = await tx
    .selectFrom("flowBackfills")
    .where("flowId", "=", flow.id)
    .select(["untilTx as tx", "untilValueId as valueId", "afterValueId"])
    .forUpdate()
    .executeTakeFirst();
  if (begun) return passSummed(tx, flow, begun, size, pass);
  const folded = await lockFolding(tx);
  await tx
    .updateTable("flows")
    .set({ sinceTx: sql`${folded.tx}::xid8`, sinceValueId: folded.valueId })
    .where("id", "=", flow.id)
    .execute();
  if (flow.writeMode === "sum") return begin(tx, flow, folded);
  for (let after: string | undefined = ""; after !== undefined;) {
    const rows: (Passing & { subject: string })[] = await selectCurrent(tx, flow.id, after, size).execute();
    await pass(rows);
    after = rows.length < size ? undefined : rows.at(-1)?.subject;
  }
  await finish(tx, flow);
}

/** Stores the extent of the backfill of a sum: the values that are folded now, and the sums of removed ones. */
const begin = (tx: Tx, flow: Backfill, until: { tx: string; valueId: number }) =>
  sql`
    insert into flow_backfills (flow_id, until_tx, until_value_id, removed)
    select
      ${flow.id},
      ${until.tx}::xid8,
      ${until.valueId}::bigint,
      coalesce(jsonb_object_agg(company_id, folded), '{}')
    from variable_checkpoints
    where variable_id = ${flow.sourceVariableId}`.execute(tx);

async function passSummed(
  tx: Tx,
  flow: Backfill,
  begun: { tx: string; valueId: number; afterValueId: number },
  size: number,
  pass: (rows: Passing[]) => Promise<void>,
) {
  // Only ids, from their index: whatever the statistics say, `size` rows are read and none is sorted.
  const batch = await tx
    .selectFrom("variableValues")
    .where("variableId", "=", flow.sourceVariableId)
    .where("id", ">", begun.afterValueId)
    .orderBy("id")
    .limit(size)
    .select("id")
    .execute();
  const ids = batch.map(({ id }) => id);
  const rows = ids.length > 0 ? await selectSummed(tx, flow.id, ids, begun).execute() : [];
  await pass(rows.filter((row) => subjectOf(row.scope, row) !== null));
  await tx
    .updateTable("flowBackfills")
    .set({ afterValueId: ids.at(-1) ?? begun.afterValueId })
    .where("flowId", "=", flow.id)
    .execute();
  if (ids.length === size) return;
  await pass(await selectRemoved(tx, flow.id).execute());
  await tx.updateTable("flowBackfills").set({ removed: "{}" }).where("flowId", "=", flow.id).execute();
  await finish(tx, flow);
}

const finish = (tx: Tx, { id }: Backfill) =>
  tx.updateTable("flows").set({ backfillPending: false }).where("id", "=", id).execute();
