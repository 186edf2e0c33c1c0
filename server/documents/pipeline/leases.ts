import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { UpdateObject } from "kysely";
import { stages } from "#shared/documents/documentVersions.ts";

/** Seconds for which a version belongs to a server that says nothing; then another one takes it. */
const LEASE_SECONDS = 30;
const HEARTBEAT_MS = 10_000;
/** Times that a version is taken before it counts as failed. */
export const MAX_TRIES = 3;
const OPEN = ["waiting", ...stages] as const;

/** Another server has taken the version, or it was deleted. */
export class LostLease extends Error {}

/** A version that this server works on. */
export type Leased = {
  id: string;
  documentId: string;
  /** Changes the version; throws `LostLease` if it belongs to somebody else by now. */
  update: (change: UpdateObject<DB, "documentVersions">, db?: Db) => Promise<void>;
  /** Aborted when the lease is lost. */
  signal: AbortSignal;
  release: () => void;
};

/** Takes the version that waits longest, or null. A version that was taken too often becomes `failed`. */
export async function takeVersion(db: Db): Promise<Leased | null> {
  await db
    .updateTable("documentVersions")
    .set({ state: "failed", code: "crashed", lease: null, leasedUntil: null })
    .where("state", "in", OPEN)
    .where("tries", ">=", MAX_TRIES)
    .where(sql<boolean>`coalesce(leased_until, '-infinity') < now()`)
    .execute();
  const lease = randomUUID();
  const { rows } = await sql<{ id: string; documentId: string }>`
    update document_versions set lease = ${lease}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), tries = tries + 1
    where id = (
      select id from document_versions
      where state = any(${[...OPEN]}::text[]) and next_try_at <= now() and coalesce(leased_until, '-infinity') < now()
      order by next_try_at limit 1 for update skip locked)
    returning id, document_id`.execute(db);
  const [row] = rows;
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
  const extend = () =>
    update({ leasedUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})` }).catch(() => {
      // Without the database nothing can be stored either; the next change of the version says so.
    });
  const heartbeat = setInterval(() => void extend(), HEARTBEAT_MS);
  return { ...row, update, signal: lost.signal, release: () => clearInterval(heartbeat) };
}
