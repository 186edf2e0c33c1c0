import { sql } from "kysely";
import { ownedBy, type Person, type PersonalData, SAME_PERSON } from "#server/core/domains/personalData.ts";

const inOwnRecordings = ({ id }: Person) =>
  sql<boolean>`session_id in (select session_id from recordings where user_id = ${id})`;
const statement = { purpose: "Seeing where people get stuck in a course", basis: "Consent (GDPR Art. 6(1)(a))" };
const fate = { fate: "delete", why: "Made only with your consent" } as const;

export const personalData: PersonalData = {
  entries: [
    {
      ...fate,
      key: "recordings.chunks",
      table: "recording_chunks",
      what: "The contents of recordings of course pages",
      where: inOwnRecordings,
    },
    {
      ...fate,
      key: "recordings",
      table: "recordings",
      what: "Recordings of course pages while you learned",
      where: ownedBy("user_id"),
    },
  ],
  sections: [
    {
      ...statement,
      key: "recordings",
      retention: "For the days that the company has set, until the consent is withdrawn, or until the data is deleted",
      table: "recordings",
      omit: { user_id: SAME_PERSON },
      keys: ["session_id"],
      where: ownedBy("user_id"),
    },
    {
      ...statement,
      key: "recordingChunks",
      retention: "As long as the recording",
      table: "recording_chunks",
      extra: "replace(encode(body, 'base64'), E'\\n', '') as gzipped_events",
      omit: { body: "exported as gzippedEvents: JSON, compressed with gzip, in base64" },
      keys: ["session_id", "number"],
      where: inOwnRecordings,
    },
  ],
};
