import { z } from "zod";
import { courseKind } from "#shared/courses.ts";
import { BATCH_EVENTS, VALUE_CHARS } from "#shared/playerTiming.ts";
import { post } from "#shared/route.ts";
import { anyone, isSignedIn } from "#shared/users.ts";

// The commit protocol (research/learning 4.5): numbered events, acknowledged by number, never applied twice

export const eventType = z.enum([
  "launch",
  "ready",
  "nav",
  "scorm.init",
  "scorm.set",
  "scorm.commit",
  "scorm.terminate",
  "confirm",
  "visibility",
  "idle",
  "error",
  "exit",
]);

/**
 * One thing that happened in a session. `seq` counts from 1 without gaps; `t` is ms since the session began, by the
 * browser's clock; `sco` is the item the event belongs to; `key` and `value` depend on the type (a data model element).
 */
export const sessionEvent = z.object({
  seq: z.int().min(1),
  t: z.int().min(0),
  type: eventType,
  sco: z.string().max(200).optional(),
  key: z.string().max(300).optional(),
  value: z.string().max(VALUE_CHARS).optional(),
});
export type SessionEvent = z.infer<typeof sessionEvent>;

export const attemptState = z.object({
  completion: z.enum(["incomplete", "complete"]),
  success: z.enum(["unknown", "passed", "failed"]),
  progress: z.number().nullable(),
  scorePercent: z.number().nullable(),
  /** State of every part, in the order of the table of contents. */
  parts: z.array(z.object({ sco: z.string(), state: z.enum(["todo", "started", "done", "failed"]) })),
});
export type AttemptState = z.infer<typeof attemptState>;

export const commit = z.object({
  events: z.array(sessionEvent).max(BATCH_EVENTS),
  /** Active time of this session so far, in ms; only ever grows. */
  activeMs: z
    .int()
    .min(0)
    .max(7 * 86_400_000)
    .default(0),
  /** Commits that failed in this session so far, by the browser's count. */
  failed: z.int().min(0).max(1_000_000).default(0),
  /** Set with the last commit of a session that ends by itself. */
  end: z.enum(["exit", "tab_closed"]).optional(),
});
export type Commit = z.infer<typeof commit>;

export const receipt = z.object({
  /** Highest number that is stored: everything up to it is safe. */
  ackSeq: z.int(),
  /** When the server stored it. */
  savedAt: z.string(),
  /** `live`: go on. `superseded`: another window has the course. `ended`: the session was closed for good. */
  session: z.enum(["live", "superseded", "ended"]),
  attempt: attemptState,
});
export type Receipt = z.infer<typeof receipt>;

// Launch (research/learning 3.5)

export const part = z.object({
  sco: z.string(),
  title: z.string(),
  /** Steps below the top of the table of contents. */
  depth: z.int(),
  /** Address below the package folder; null for a heading. */
  href: z.string().nullable(),
  /** False for an asset, which never talks to the run-time. */
  isSco: z.boolean(),
  /** Values that the manifest hands to the run-time, by data model element. */
  given: z.record(z.string(), z.string()),
});
export type Part = z.infer<typeof part>;

export const launch = z.object({
  sessionId: z.uuid(),
  /** Good for this session's commits and nothing else. */
  token: z.string(),
  /** Address of the player shell on the content origin, with the grant for this attempt's files in its path. */
  shell: z.url(),
  preview: z.boolean(),
  startedAt: z.string(),
  course: z.object({ id: z.uuid(), title: z.string(), code: z.string(), kind: courseKind, confirm: z.boolean() }),
  company: z.object({ id: z.uuid(), name: z.string(), color: z.string().nullable(), logo: z.string().nullable() }),
  learner: z.object({ id: z.string(), name: z.string() }),
  attemptId: z.uuid(),
  attemptNo: z.int(),
  parts: z.array(part),
  current: z.string(),
  /** Data model values to preload, by part, then by element name. */
  values: z.record(z.string(), z.record(z.string(), z.string())),
  attempt: attemptState,
});
export type Launch = z.infer<typeof launch>;

export const launchInput = z.object({
  /** A random id of this browser, to tell a reload from a second device. */
  clientId: z.string().min(8).max(64),
  /** Take the course over from the window that has it. */
  takeOver: z.boolean().default(false),
  /** The window that has it is a dead tab of this browser: what it still sends counts in full. */
  orphan: z.boolean().default(false),
  /** Begin a new attempt although one exists. */
  fresh: z.boolean().default(false),
  viewport: z.string().max(20).default(""),
});

export const SESSION_HEADER = "x-session-token";

export const player = {
  launch: post("/api/launch/:companyId/:courseId", {
    does: "Open a session on a course; 409 player.openElsewhere when another window has it",
    params: z.object({ companyId: z.uuid(), courseId: z.uuid() }),
    body: launchInput,
    reply: launch,
  }),
  commit: post("/api/sessions/:id/events", {
    does: "Store numbered events; needs the session token",
    body: commit,
    reply: receipt,
  }),
};
export const canLaunch = isSignedIn;
/** The session token in the header decides, not the person. */
export const canCommit = anyone;
