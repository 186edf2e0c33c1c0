import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { Person } from "#server/privacy/registryEntry.ts";
import { registry } from "#server/privacy/registry.ts";

const rowsOf = (key: string, person: Person) =>
  registry.find((entry) => entry.key === key)?.where(person) ?? sql<boolean>`false`;

/** Storage keys of the person's own files, including deleted files that are still in storage. */
export async function listFiles(db: Db, person: Person): Promise<string[]> {
  const found = await db.selectFrom("files").where(rowsOf("files", person)).select("storageKey").execute();
  return found.map(({ storageKey }) => storageKey);
}

/**
 * Removes these files and unfinished uploads from storage; returns the number of files. The rows are deleted later, so
 * an interrupted call can be repeated.
 */
export async function removeFiles({ db, storage }: Ctx, person: Person) {
  const keys = await listFiles(db, person);
  for (const key of keys) await storage.remove(key);
  const uploads = await db
    .selectFrom("uploadSessions")
    .where(rowsOf("uploads", person))
    .where("status", "=", "active")
    .select(["storageKey", "partState"])
    .execute();
  for (const { storageKey, partState } of uploads) await storage.discard(storageKey, partState);
  return keys.length;
}
