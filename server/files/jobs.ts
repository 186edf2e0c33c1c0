import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { endUpload } from "#server/files/uploads.ts";

/** Bytes of deleted or replaced files are kept this many hours for running downloads. */
const GRACE_HOURS = 24;

/** Every hour: expires old uploads, and removes the bytes of deleted files and those that a crash has left behind. */
export const sweepFiles = job(
  "files:sweep",
  z.object({}),
  async (services) => {
    const { db, storage, log } = services;
    const expired = await db
      .selectFrom("uploadSessions")
      .where("status", "=", "active")
      .where("expiresAt", "<", sql<string>`now()`)
      .selectAll()
      .limit(1000)
      .execute();
    for (const session of expired) await endUpload(services, session, "expired");
    await db
      .deleteFrom("uploadSessions")
      .where("status", "!=", "active")
      .where("expiresAt", "<", sql<string>`now()`)
      .execute();
    const deleted = await db
      .selectFrom("files")
      .where("deletedAt", "<", sql<string>`now() - make_interval(hours => ${GRACE_HOURS})`)
      .where("inUse", "=", false)
      .select(["id", "storageKey"])
      .limit(1000)
      .execute();
    for (const { id, storageKey } of deleted) {
      await storage.remove(storageKey);
      await db.deleteFrom("files").where("id", "=", id).execute();
    }
    const orphans = await storage.sweep(async (keys) => {
      if (keys.length === 0) return new Set();
      const active = await db
        .selectFrom("uploadSessions")
        .where("storageKey", "in", keys)
        .where("status", "=", "active")
        .select("storageKey")
        .execute();
      return new Set(active.map(({ storageKey }) => storageKey));
    });
    if (expired.length + deleted.length + orphans > 0)
      log.info({ expired: expired.length, deleted: deleted.length, orphans }, "files swept");
  },
  "17 * * * *",
);
