import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { endUpload } from "#server/files/uploads.ts";

/** A file that was deleted or replaced stays readable to downloads that run, in hours. */
const GRACE_HOURS = 24;

/** Every hour: uploads past their days are forgotten, the bytes of deleted files go, and so does what a crash left in the store. */
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
      const known = await db
        .selectFrom("uploadSessions")
        .where("storageKey", "in", keys)
        .where("status", "=", "active")
        .select("storageKey")
        .execute();
      return new Set(known.map(({ storageKey }) => storageKey));
    });
    if (expired.length + deleted.length + orphans > 0)
      log.info({ expired: expired.length, deleted: deleted.length, orphans }, "files were swept");
  },
  "17 * * * *",
);
