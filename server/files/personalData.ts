import { sql } from "kysely";
import {
  contract,
  deleted,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  SECRET,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { isOwnFile } from "#server/files/personFiles.ts";

export const personalData: PersonalData = {
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
};
