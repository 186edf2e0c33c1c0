import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { outsideTransaction } from "#server/core/database/transactionScope.ts";
import { claimRows, isUnleased, leaseEnd, startHeartbeat } from "#server/core/lease.ts";
import type { UpdateObject } from "kysely";
import { stages, type VersionState } from "#shared/documents/documentVersions.ts";

/** Seconds without renewal after which another server may take a version. */
const LEASE_SECONDS = 30;

/** Number of times that a version is taken before it counts as failed. */
export const MAX_TRIES = 3;
const OPEN = ["waiting", ...stages] as const;

/** Another server has taken the version, or it was deleted. */
export class LostLease extends Error {}

type Change = UpdateObject<DB, "documentVersions">;

/** A version that this server works on. */
export type Leased = {
  id: string;
  documentId: string;
  /** Changes the version; throws `LostLease` if this server no longer holds the lease. */
  update: (change: Change, db?: Db) => Promise<void>;
  /**
   * Stores progress outside the running transaction, so that it is visible, if the version is still in one of the
   * states. Does not block; of several pending reports only the last is stored.
   */
  report: (states: VersionState[], change: Change) => void;
  /**
   * Throws `LostLease` if this server no longer holds the lease. Waits for no lock, so that a deletion ends the work.
   */
  check: (tx: Tx) => Promise<void>;
  /** Aborted when the lease is lost. */
  signal: AbortSignal;
  release: () => void;
};

/**
 * Takes the version that has waited longest; null if there is none. A version that was taken too often becomes
 * `failed`.
 */
export async function takeVersion(db: Db): Promise<Leased | null> {
  await db
    .updateTable("documentVersions")
    .set({ state: "failed", code: "crashed", lease: null, leasedUntil: null })
    .where("state", "in", OPEN)
    .where("tries", ">=", MAX_TRIES)
    .where(isUnleased)
    .execute();
  const lease = randomUUID();
  const [row] = await claimRows<{ id: string; documentId: string }>(db, {
    table: "document_versions",
    seconds: LEASE_SECONDS,
    limit: 1,
    due: sql`state = any(${[...OPEN]}::text[]) and next_try_at <= now()`,
    order: sql`next_try_at`,
    set: [sql`lease = ${lease}`, sql`tries = tries + 1`],
    returning: ["id", "documentId"],
  });
  if (!row) return null;
  const lost = new AbortController();
  const update: Leased["update"] = async (change, on = db) => {
    const changed = await on
      .updateTable("documentVersions")
      .set(change)
      .where("id", "=", row.id)
      .where("lease", "=", lease)
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0n) return;
    lost.abort();
    throw new LostLease();
  };
  const check: Leased["check"] = async (tx) => {
    const leasedRow = await tx
      .selectFrom("documentVersions")
      .where("id", "=", row.id)
      .where("lease", "=", lease)
      .select("id")
      .executeTakeFirst();
    if (leasedRow) return;
    lost.abort();
    throw new LostLease();
  };
  const store = lastOnly<{ states: VersionState[]; change: Change }>(({ states, change }) =>
    db
      .updateTable("documentVersions")
      .set(change)
      .where("id", "=", row.id)
      .where("lease", "=", lease)
      .where("state", "in", states)
      .execute(),
  );
  const extend = lastOnly<void>(() => update({ leasedUntil: leaseEnd(LEASE_SECONDS) }));
  const release = startHeartbeat(LEASE_SECONDS, extend);
  return {
    ...row,
    update,
    report: (states, change) => store({ states, change }),
    check,
    signal: lost.signal,
    release,
  };
}

/**
 * Runs `work` one call at a time, outside of any transaction; of the calls during a run, only the last one is run.
 * Failures are ignored, because the next awaited change will report them.
 */
function lastOnly<T>(work: (input: T) => Promise<unknown>) {
  let isRunning = false;
  let next: { input: T } | null = null;
  const run = async () => {
    isRunning = true;
    for (let own = next; own; own = next) {
      next = null;
      await work(own.input).catch(() => {});
    }
    isRunning = false;
  };
  return (input: T) => {
    next = { input };
    if (!isRunning) void outsideTransaction(run);
  };
}

/**
 * Revokes the leases of a document: its workers notice at their next step and stop. Must be committed before the
 * document is deleted; if the deletion fails, the work restarts within a minute.
 */
export const endLeases = (db: Db, documentId: string) =>
  db
    .updateTable("documentVersions")
    .set({ lease: null, leasedUntil: null, nextTryAt: sql`now() + interval '1 minute'` })
    .where("documentId", "=", documentId)
    .where("lease", "is not", null)
    .execute();
