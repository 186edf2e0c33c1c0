import { sql } from "kysely";
import type { Entry, Person, Section } from "#server/privacy/registryEntry.ts";
import { ownedBy, SAME_PERSON } from "#server/privacy/sectionParts.ts";

// Recordings of pages, which were made with the consent of the person

const inOwnRecordings = ({ id }: Person) =>
  sql<boolean>`session_id in (select session_id from recordings where user_id = ${id})`;

export const recordingSections: Section[] = [
  {
    key: "recordings",
    purpose: "Seeing where people get stuck in a course",
    basis: "Consent (GDPR Art. 6(1)(a))",
    retention: "For the days that the company has set, until the consent is withdrawn, or until the data is deleted",
    table: "recordings",
    omit: { user_id: SAME_PERSON },
    keys: ["session_id"],
    where: ownedBy("user_id"),
  },
  {
    key: "recordingChunks",
    purpose: "Seeing where people get stuck in a course",
    basis: "Consent (GDPR Art. 6(1)(a))",
    retention: "As long as the recording",
    table: "recording_chunks",
    extra: "replace(encode(body, 'base64'), E'\\n', '') as gzipped_events",
    omit: { body: "exported as gzippedEvents: JSON, compressed with gzip, in base64" },
    keys: ["session_id", "number"],
    where: inOwnRecordings,
  },
];

export const recordingEntries: Entry[] = [
  {
    key: "recordings.chunks",
    table: "recording_chunks",
    what: "The contents of recordings of course pages",
    fate: "delete",
    why: "Made only with your consent",
    where: inOwnRecordings,
  },
  {
    key: "recordings",
    table: "recordings",
    what: "Recordings of course pages while you learned",
    fate: "delete",
    why: "Made only with your consent",
    where: ({ id }) => sql`user_id = ${id}`,
  },
];
