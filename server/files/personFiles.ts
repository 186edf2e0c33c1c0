import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { Person } from "#server/core/domains/personalData.ts";
import type { Ctx } from "#server/core/http/http.ts";

/** Files that belong to the person alone; others belong to a course, a company or the academy. */
export const isOwnFile = ({ id }: Person) => sql<boolean>`owner_id = ${id} and purpose in ('avatar', 'export')`;

/** Storage keys of the person's own files, including deleted files that are still in storage. */
export async function listPersonFiles(db: Db, person: Person): Promise<string[]> {
  const ownFiles = await db.selectFrom("files").where(isOwnFile(person)).select("storageKey").execute();
  return ownFiles.map(({ storageKey }) => storageKey);
}

/**
 * Removes these files and unfinished uploads from storage; returns the number of files. The rows are deleted later, so
 * an interrupted call can be repeated.
 */
export async function removePersonFiles({ db, storage }: Ctx, person: Person) {
  const keys = await listPersonFiles(db, person);
  for (const key of keys) await storage.remove(key);
  const uploads = await db
    .selectFrom("uploadSessions")
    .where("userId", "=", person.id)
    .where("status", "=", "active")
    .select(["storageKey", "partState"])
    .execute();
  for (const { storageKey, partState } of uploads) await storage.discard(storageKey, partState);
  return keys.length;
}
