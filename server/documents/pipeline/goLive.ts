import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { requestVectors } from "#server/documents/retrieval/makeVectors.ts";

/** Makes a version live: it is searched and quoted, replaces the previous one, and gets its vectors next. */
export async function makeLive(tx: Tx, documentId: string, versionId: string) {
  await tx
    .updateTable("documentVersions")
    .set({ state: "replaced" })
    .where("documentId", "=", documentId)
    .where("state", "=", "ready")
    .where("id", "!=", versionId)
    .execute();
  await tx
    .updateTable("documentVersions")
    .set({ state: "ready", code: null, readyAt: sql`coalesce(ready_at, now())`, lease: null, leasedUntil: null })
    .where("id", "=", versionId)
    .execute();
  await tx
    .updateTable("documents")
    .set({ liveVersionId: versionId, updatedAt: sql`now()` })
    .where("id", "=", documentId)
    .execute();
  await requestVectors(tx);
}
