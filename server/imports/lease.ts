import { type Selectable, sql } from "kysely";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { PeopleImports } from "#server/core/database/db.types.ts";
import { claimRows, leaseEnd } from "#server/core/lease.ts";

/** Seconds after which another server continues an import whose server has stopped. */
const LEASE_SECONDS = 20;

export type ImportRecord = Selectable<PeopleImports>;

/** Another server has taken the import over, it has a new order, or it was deleted. */
export class LostImport extends Error {}

/** Takes the oldest import that has work for a job and that no server is working on. */
export async function takeImport(db: Db): Promise<ImportRecord | undefined> {
  const [taken] = await claimRows<{ id: string }>(db, {
    table: "people_imports",
    seconds: LEASE_SECONDS,
    limit: 1,
    due: sql`state in ('reading', 'checking', 'applying', 'undoing')`,
    order: sql`created_at`,
    set: [sql`tries = tries + 1`],
    returning: ["id"],
  });
  if (!taken) return undefined;
  return db.selectFrom("peopleImports").where("id", "=", taken.id).selectAll().executeTakeFirst();
}

/**
 * One batch: what `work` changes, the progress and the lease are committed together, so that a batch happens
 * exactly once, even if its server dies. The row of the import is locked first, so that two servers never work on the
 * same batch.
 */
export const inBatch = <T>(db: Db, { id, state, revision }: ImportRecord, work: (tx: Tx) => Promise<T>) =>
  inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("peopleImports")
      .set({ leasedUntil: leaseEnd(LEASE_SECONDS) })
      .where("id", "=", id)
      .where("state", "=", state)
      .where("revision", "=", revision)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new LostImport();
    return work(tx);
  });

/** Sets columns of an import within a batch. */
export const setImport = (tx: Tx, id: string, values: Partial<Omit<ImportRecord, "head" | "mapping">>) =>
  tx.updateTable("peopleImports").set(values).where("id", "=", id).execute();

/** Columns that every new order to the job resets. */
export const ordered = { revision: sql<number>`revision + 1`, done: 0, tries: 0, code: null, leasedUntil: null };
