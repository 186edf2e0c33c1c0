import { sql } from "kysely";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import type { Services } from "#server/core/services.ts";
import { lockNextBackfill, passNext } from "#server/flows/backfill.ts";
import { type Passing, selectPassing } from "#server/flows/dueValues.ts";
import { type Counts, storeCopies, storeDeliveries, type Transformed } from "#server/flows/outputs.ts";
import { isAfter, readStoredValue } from "#server/variables/fold/values.ts";
import { readFlowValuesOf } from "#server/variables/templateValues.ts";
import { transformValue } from "#shared/flows/flows.ts";

// Values pass through the flows after they were folded, exactly once: the cursor moves in the transaction that stores
// the copies and the deliveries. A copy is a stored value, too, and passes through further flows.

/** The number of values read at once. */
const BATCH = 1000;

type Context = Pick<Services, "db" | "config">;
/**
 * `isMore`: there is more to pass on now. The numbers of stored copies, to be folded, and of deliveries, to be sent.
 */
export type Passed = { isMore: boolean; copies: number; deliveries: number };
const NOTHING: Passed = { isMore: false, copies: 0, deliveries: 0 };

/**
 * Passes on the next `size` values of a backfill, and then as many that were folded since the last call. Simultaneous
 * deletions or corrections lock the same values, so deadlocks are possible.
 */
export async function passBatch(services: Context, size = BATCH): Promise<Passed> {
  const current = await inTurn(services, (tx) => passCurrent(services, tx, size));
  const folded = await inTurn(services, (tx, cursor) => passFolded(services, tx, cursor, size));
  return {
    isMore: current.isMore || folded.isMore,
    copies: current.copies + folded.copies,
    deliveries: current.deliveries + folded.deliveries,
  };
}

type Cursor = { tx: string; valueId: number };
/** Runs `pass` in a transaction, unless another node is passing values on. */
const inTurn = (services: Context, pass: (tx: Tx, cursor: Cursor) => Promise<Passed>): Promise<Passed> =>
  repeatOnDeadlock(() =>
    inTransaction(services.db, async (tx) => {
      const cursor = await tx.selectFrom("flowCursor").selectAll().forUpdate().skipLocked().executeTakeFirst();
      return cursor ? pass(tx, cursor) : NOTHING;
    }),
  );

async function passFolded(services: Context, tx: Tx, cursor: Cursor, size: number): Promise<Passed> {
  const batch = await tx
    .selectFrom("variableValues as stored")
    .innerJoin("variableFold as fold", (join) => join.onTrue())
    .where(isAfter(cursor))
    .where(sql<boolean>`(stored.tx, stored.id) <= (fold.tx, fold.value_id)`)
    .orderBy("stored.tx")
    .orderBy("stored.id")
    .limit(size)
    .select([sql<string>`stored.tx::text`.as("tx"), "stored.id"])
    .execute();
  const last = batch.at(-1);
  if (!last) return NOTHING;
  const ids = batch.map(({ id }) => id);
  const stored = await passOn(services, tx, await selectPassing(tx, ids).execute());
  await tx
    .updateTable("flowCursor")
    .set({ tx: sql`${last.tx}::xid8`, valueId: last.id })
    .execute();
  return { ...stored, isMore: batch.length === size };
}

/** Continues the backfill of one flow. */
async function passCurrent(services: Context, tx: Tx, size: number): Promise<Passed> {
  const flow = await lockNextBackfill(tx);
  if (!flow) return NOTHING;
  const passed = { ...NOTHING, isMore: true };
  await passNext(tx, flow, size, async (rows) => {
    const stored = await passOn(services, tx, rows);
    passed.copies += stored.copies;
    passed.deliveries += stored.deliveries;
  });
  return passed;
}

async function passOn(services: Context, tx: Tx, rows: Passing[]) {
  const passing = await transformRows(tx, rows);
  const counts = new Map<string, Counts>();
  const copies = await storeCopies(tx, passing, counts);
  const deliveries = await storeDeliveries(services, tx, passing, counts);
  await storeCounts(tx, counts);
  if (counts.size > 0) await announceChange(tx, { domain: "flows" });
  return { copies, deliveries };
}

/** The results of the flows. The other values in texts are read for all rows at once. */
async function transformRows(tx: Tx, rows: Passing[]): Promise<Transformed[]> {
  const inputs = rows.flatMap((row) => {
    const value = readStoredValue(row);
    // A webhook with pseudonyms gets no names in texts, either.
    const hidesLearner = row.targetWebhookId !== null && !row.includesNames;
    return value === undefined ? [] : [{ row, value, hidesLearner }];
  });
  const others = await readFlowValuesOf(
    tx,
    inputs.map(({ row, hidesLearner }) => ({ ...row, hidesLearner })),
  );
  return inputs.flatMap(({ row, value }, index) => {
    const result = transformValue(row.transform, { value, type: row.type, unit: row.unit }, others[index]);
    return result === undefined ? [] : [{ row, value: result }];
  });
}

async function storeCounts(tx: Tx, counts: Map<string, Counts>) {
  if (counts.size === 0) return;
  const rows = [...counts.values()];
  await sql`
    update flows
    set fired = flows.fired + counted.fired,
      refused = flows.refused + counted.refused,
      last_fired_at = case when counted.fired > 0 then now() else last_fired_at end
    from unnest(
      ${[...counts.keys()]}::uuid[],
      ${rows.map(({ fired }) => fired)}::int[],
      ${rows.map(({ refused }) => refused)}::int[]
    ) as counted (id, fired, refused)
    where flows.id = counted.id`.execute(tx);
}
