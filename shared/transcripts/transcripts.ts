import { z } from "zod";
import { defineContracts, del, get, listQuery, page, post, put } from "#shared/core/route.ts";
import { anyone, isSignedIn } from "#shared/core/users.ts";

// Transcripts: what a person has completed in a company, frozen with a number, to keep and to share

/** The most transcripts that a person may issue in 24 hours, and keep. */
export const MAX_A_DAY = 20;
export const MAX_KEPT = 100;
/** The most entries of a transcript, the newest ones. */
export const MAX_ENTRIES = 500;
/** Days for which a link may work. */
export const LINK_DAYS = [7, 30, 90, 365] as const;
export type LinkDays = (typeof LINK_DAYS)[number];

/** One completion. Days are those of the company; times in seconds. */
export const transcriptEntry = z.object({
  course: z.string(),
  code: z.string(),
  completedOn: z.string(),
  success: z.enum(["unknown", "passed", "failed"]),
  /** Null without a score, or if the person left scores out. */
  scorePercent: z.number().nullable(),
  /** Measured while the course was open and used; null if completed elsewhere, or if the person left times out. */
  activeSeconds: z.int().nullable(),
  /** As the course reported it. */
  reportedSeconds: z.int().nullable(),
  validUntil: z.string().nullable(),
  /** The number of its certificate, which `/verify` checks. */
  certificate: z.string().nullable(),
  /** An admin has set the course complete. */
  setByAdmin: z.boolean(),
  /** Completed elsewhere, as a file of the company said, and what proves it, if anything; missing if completed here. */
  elsewhere: z.string().optional(),
});
export type TranscriptEntry = z.infer<typeof transcriptEntry>;

export const transcriptFacts = z.object({
  format: z.literal("lyceum-transcript-1"),
  number: z.string(),
  issuer: z.string(),
  holder: z.string(),
  issuedAt: z.string(),
  /** The time zone of the company, IANA. */
  zone: z.string(),
  withScores: z.boolean(),
  withTimes: z.boolean(),
  /** Completions of the person in the company; more than `entries` if those are limited. */
  total: z.int(),
  entries: z.array(transcriptEntry).max(MAX_ENTRIES),
});
export type TranscriptFacts = z.infer<typeof transcriptFacts>;

/**
 * An entry compared with the records of today. `same`: also with a better result; `changed`: completed at another time,
 * with a lesser result or a shorter validity; `certificate`: its certificate was revoked or replaced; `gone`: the
 * completion was taken back.
 */
export const entryState = z.enum(["same", "changed", "certificate", "gone"]);
export type EntryState = z.infer<typeof entryState>;

export const transcript = z.object({
  id: z.uuid(),
  number: z.string(),
  holder: z.string(),
  issuedAt: z.string(),
  /** The time zone of the company, IANA. */
  zone: z.string(),
  entries: z.int(),
  withScores: z.boolean(),
  withTimes: z.boolean(),
  /** `lastDay`: the day of the company at whose end it stops working. */
  link: z.object({ url: z.string(), lastDay: z.string() }).nullable(),
  /** How often others opened the link, at most once a minute counted. */
  opened: z.int(),
  lastOpenedAt: z.string().nullable(),
});
export type Transcript = z.infer<typeof transcript>;

export const checkedTranscript = z.object({
  facts: transcriptFacts,
  /** SHA-256 of the facts as JSON in its canonical form (RFC 8785), 64 hex digits. */
  digest: z.string(),
  /** The stored facts have this digest. */
  isUnchanged: z.boolean(),
  /** For each entry. */
  states: z.array(entryState),
  checkedAt: z.string(),
  /** The last day of its link; null if it is not shared. */
  lastDay: z.string().nullable(),
});
export type CheckedTranscript = z.infer<typeof checkedTranscript>;

const shown = z.object({ withScores: z.boolean(), withTimes: z.boolean() });

// Who may do what

/** Admins have none. */
export const hasTranscripts = isSignedIn;
export const canOpenLink = anyone;

// Endpoints

export const transcripts = defineContracts("transcripts", {
  list: get("/api/learning-transcripts", {
    does: "List my transcripts, newest first",
    query: listQuery.omit({ q: true, sort: true }),
    reply: page(transcript).extend({
      /** What a new transcript would contain. */
      completed: z.int(),
    }),
  }),
  issue: post("/api/learning-transcripts", {
    does: "Issue a transcript of what I have completed in my company; 409 if that is nothing",
    body: shown,
    reply: transcript,
  }),
  get: get("/api/learning-transcripts/:id", {
    does: "Get a transcript of mine, compared with the records of today",
    reply: checkedTranscript,
  }),
  pdf: get("/api/learning-transcripts/:id/pdf", {
    priority: "heavy",
    does: "Get a transcript of mine as tagged PDF",
    reply: z.string(),
  }),
  file: get("/api/learning-transcripts/:id/file", {
    priority: "heavy",
    does: "Get a transcript of mine as CSV, Excel or JSON with its digest",
    query: z.object({ format: z.enum(["csv", "xlsx", "json"]).default("csv") }),
    reply: z.string(),
  }),
  share: put("/api/learning-transcripts/:id/link", {
    does: "Share a transcript of mine for some days: by the link that it has, or by a new one if that has ended",
    body: z.object({ days: z.literal(LINK_DAYS) }),
    reply: transcript,
  }),
  unshare: del("/api/learning-transcripts/:id/link", {
    does: "End the link of a transcript of mine",
    reply: transcript,
  }),
  remove: del("/api/learning-transcripts/:id", { does: "Delete a transcript of mine, and with it its link" }),
  open: get("/api/shared-transcripts/:token", {
    does: "Read a transcript by its link, compared with the records of today; null if the link does not work",
    params: z.object({ token: z.string().max(2000) }),
    reply: checkedTranscript.nullable(),
  }),
});
