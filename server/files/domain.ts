import { sql } from "kysely";
import { defineDomain } from "#server/core/domains/domain.ts";
import { contract, deleted, ownedBy, SAME_PERSON, SECRET, untilErased } from "#server/core/domains/personalData.ts";
import { rows, untilRemoved } from "#server/core/domains/tables.ts";
import { sweepFiles } from "#server/files/jobs.ts";
import { isOwnFile } from "#server/files/personFiles.ts";

export const files = defineDomain({
  name: "files",
  jobs: [sweepFiles],
  tables: {
    files: {
      growth: rows(20, "course"),
      kept: untilRemoved,
      authors: { owner_id: "Course files, documents and images you uploaded" },
    },
    upload_sessions: { growth: rows(10, "course"), kept: "7 days after the last byte" },
  },
  personalData: {
    entries: [
      deleted("files", "files", "Your profile picture and exports created for you", isOwnFile),
      deleted("uploads", "upload_sessions", "Unfinished uploads", ({ id }) => sql`user_id = ${id}`),
    ],
    sections: [
      {
        key: "files",
        purpose: "Storing uploaded files",
        basis: contract,
        retention: untilErased,
        table: "files",
        omit: { owner_id: SAME_PERSON, storage_key: SECRET, tokens: SECRET, revoked_tokens: SECRET },
        keys: ["id"],
        where: ownedBy("owner_id"),
      },
      {
        key: "unfinishedUploads",
        purpose: "Resuming uploads",
        basis: contract,
        retention: "7 days after the last byte",
        table: "upload_sessions",
        omit: { user_id: SAME_PERSON, storage_key: SECRET, part_state: "the state of the file store" },
        keys: ["id"],
        where: ownedBy("user_id"),
      },
    ],
  },
});
