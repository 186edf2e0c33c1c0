import { z } from "zod";
import { MAX_BATCH_EVENTS, MAX_VALUE_CHARS, SESSION_HEADER } from "#shared/player/playerTiming.ts";
import { blockId } from "#shared/lessons/richText.ts";
import { lessonAnswers, lessonReceipt, sessionLesson } from "#shared/player/lessons.ts";
import { activityTree } from "#shared/packages/activityTree.ts";
import type { Prerequisites } from "#shared/packages/prerequisites.ts";
import type { StoredSequencing } from "#shared/sequencing/sequenceEvents.ts";
import { defineContracts, get, post, MIB } from "#shared/core/route.ts";
import { anyone, isSignedIn } from "#shared/core/users.ts";
import { completionRule, courseKind, packageKind } from "#shared/courses/completionRules.ts";
import { constraints, variableAccess, variableStatus, variableType, writeMode } from "#shared/variables/variables.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";

// The commit protocol: events are numbered, acknowledged by number, and applied exactly once

export const eventType = z.enum([
  "launch",
  "ready",
  "nav",
  "scorm.init",
  "scorm.set",
  "scorm.commit",
  "scorm.terminate",
  "variable.set",
  "package.set",
  "confirm",
  "complete",
  "block.seen",
  "block.answer",
  "block.check",
  "block.watched",
  "block.confirm",
  "block.choose",
  "block.back",
  "block.restart",
  "block.unclear",
  "lesson.end",
  "quiz.start",
  "quiz.end",
  "quiz.pause",
  "quiz.resume",
  "sequence",
  "visibility",
  "idle",
  "error",
  "exit",
]);

/** Identifiers of parts have at most 200 characters in a package, and here the id of the lesson before them. */
const MAX_SCO_CHARS = 265;

/**
 * One event of a session. `seq` counts from 1 without gaps; `t` is ms since the start of the session by the browser's
 * clock; `sco` identifies the part; `key` and `value` depend on the type (for `scorm.set`: data model element and
 * value; for `scorm.terminate`: UNLOADED if the page of the part was being unloaded; for `variable.set`: key and value
 * as JSON; for `package.set`: path of an authoring tool (shared/variables/variablePaths.ts) and value as JSON; for
 * `complete`: score in percent, or nothing; for `block.*`: id of the block of a lesson, and what
 * shared/lessons/lessonEvents.ts says as JSON; `quiz.*`: shared/lessons/quizEvents.ts; `sequence`:
 * what has changed in the activity tree, as JSON, shared/sequencing/sequenceEvents.ts).
 */
export const sessionEvent = z.object({
  seq: z.int().min(1),
  t: z.int().min(0),
  type: eventType,
  sco: z.string().max(MAX_SCO_CHARS).optional(),
  key: z.string().max(300).optional(),
  value: z.string().max(MAX_VALUE_CHARS).optional(),
});
export type SessionEvent = z.infer<typeof sessionEvent>;

export const attemptState = z.object({
  completion: z.enum(["incomplete", "complete"]),
  success: z.enum(["unknown", "passed", "failed"]),
  progress: z.number().nullable(),
  scorePercent: z.number().nullable(),
  /** The state of every part, in the order of the table of contents. */
  parts: z.array(
    z.object({
      sco: z.string(),
      state: z.enum(["todo", "started", "done", "failed"]),
      /** The part is closed until these parts and groups are done, or by another prerequisite if there are none. */
      waitsFor: z.array(z.string()).optional(),
    }),
  ),
});
export type AttemptState = z.infer<typeof attemptState>;

export const commit = z.object({
  events: z.array(sessionEvent).max(MAX_BATCH_EVENTS),
  /** Active time of this session so far, in ms; never decreases. */
  activeMs: z
    .int()
    .min(0)
    .max(7 * 86_400_000)
    .default(0),
  /** Failed commits of this session so far, as counted by the browser. */
  failed: z.int().min(0).max(1_000_000).default(0),
  /** Sent with the last commit when the learner ends the session. */
  end: z.enum(["exit", "tab_closed"]).optional(),
});
export type Commit = z.infer<typeof commit>;

export const receipt = z.object({
  /** Highest stored `seq`: all events up to it are durable. */
  ackSeq: z.int(),
  /** When the server stored the commit. */
  savedAt: z.string(),
  /** `live`: continue. `superseded`: another window has opened the course. `ended`: access was revoked. */
  session: z.enum(["live", "superseded", "ended"]),
  /** An admin has started the course over since: the attempt of the session counts no more. */
  isStartedOver: z.boolean().optional(),
  attempt: attemptState,
  /** Only if the commit had such events. */
  lessons: lessonReceipt.optional(),
});
export type Receipt = z.infer<typeof receipt>;

// Launch

export const partKind = z.enum([...packageKind.options, "lesson"]);
export type PartKind = z.infer<typeof partKind>;

/** The `sco` of a part of a package that stands among lessons. */
export const packagedSco = (lessonId: string, sco: string) => `${lessonId}.${sco}`;

export const part = z.object({
  sco: z.string(),
  kind: partKind,
  title: z.string(),
  /** Depth in the table of contents; 0 is the top level. */
  depth: z.int(),
  /**
   * URL relative to the package folder, or the id of a lesson; null for a heading. Among lessons, the id of the package
   * stands before it as a folder.
   */
  href: z.string().nullable(),
  /** False for an asset, which does not call the SCORM run-time and cannot report that it is done. */
  isSco: z.boolean(),
  /** Of a package with sequencing rules: only they open it, and no list has it. */
  isHidden: z.literal(true).optional(),
  /** SCORM 1.2: when it opens, as read at import (server/packages/prerequisites.ts). */
  prerequisites: z.custom<Prerequisites>((value) => typeof value === "object" && value !== null).optional(),
  /** Initial values from the manifest, by data model element. */
  given: z.record(z.string(), z.string()),
});
export type Part = z.infer<typeof part>;
/** A part that learners find in lists and that counts. */
export const isListed = ({ href, isHidden }: Pick<Part, "href" | "isHidden">) => href !== null && !isHidden;

/**
 * A variable as the content of a course sees it, with the value at launch; null if there is none, or if the course may
 * not read it.
 */
export const launchVariable = z.object({
  key: z.string(),
  type: variableType,
  constraints,
  writeMode,
  access: variableAccess,
  status: variableStatus,
  value: variableValue,
});

/** Checked where it is stored (server/player/sequencing/fold.ts). */
const storedSequencing = z.custom<StoredSequencing>((value) => typeof value === "object" && value !== null);

export const launch = z.object({
  sessionId: z.uuid(),
  /** Authorizes commits of this session only. */
  token: z.string(),
  /**
   * URL of the player shell on the content origin; its path contains the grant for this attempt's files. A course of
   * lessons runs without it.
   */
  shell: z.url(),
  preview: z.boolean(),
  startedAt: z.string(),
  course: z.object({
    id: z.uuid(),
    title: z.string(),
    code: z.string(),
    kind: courseKind,
    confirm: z.boolean(),
    rule: completionRule,
  }),
  company: z.object({ id: z.uuid(), name: z.string(), color: z.string().nullable(), logo: z.string().nullable() }),
  learner: z.object({ id: z.string(), name: z.string() }),
  attemptId: z.uuid(),
  attemptNo: z.int(),
  parts: z.array(part),
  current: z.string(),
  /**
   * The latest earlier session of the attempt; `values` include its events up to `lastSeq`. `isSameWindow`: it ran in
   * the window that launches now, whose page may still be closing.
   */
  previous: z.object({ sessionId: z.uuid(), lastSeq: z.int(), isSameWindow: z.boolean() }).nullable(),
  /** Initial data model values, by part, then by element name. */
  values: z.record(z.string(), z.record(z.string(), z.string())),
  /** The variables that the course may read or write, with the values that it may read. */
  variables: z.object({
    declared: z.array(launchVariable),
    /** How many more keys the course may send without a definition. */
    newKeysLeft: z.int(),
    /** Paths that the player reads from the package itself (`parseToolPath`), each mapped to a variable by an admin. */
    packagePaths: z.array(z.string()),
    /** By path: values that are already stored, and not sent again when a page begins. */
    packageValues: z.record(z.string(), z.array(variableValue)),
  }),
  attempt: attemptState,
  /** The package has rules for the order of its parts that are not followed: prerequisites, or sequencing rules. */
  ignoresRules: z.boolean(),
  /** The activity tree of a package with sequencing rules, and its state; null before it was opened. */
  sequencing: z.object({ tree: activityTree, stored: storedSequencing.nullable() }).nullable(),
  /** For a course of lessons: where its files are, by their ids; and what was answered in all of its lessons. */
  lessons: z
    .object({
      media: z.url(),
      answers: lessonAnswers,
    })
    .nullable(),
  /**
   * The page is recorded; null if it must not be. `hidden` are texts that are masked in it, such as the name of the
   * learner.
   */
  recording: z.object({ hidden: z.array(z.string()) }).nullable(),
});
export type Launch = z.infer<typeof launch>;

export const launchInput = z.object({
  /** Random id of this browser window; distinguishes a reload from a second window or device. */
  clientId: z.string().min(8).max(64),
  /** Take over the course from the window that has it open. */
  takeOver: z.boolean().default(false),
  /**
   * The previous window is a closed tab of this browser: its remaining events are applied in full. A session of the
   * same `clientId` that has no events yet is opened again.
   */
  orphan: z.boolean().default(false),
  /** Start a new attempt even if one exists. */
  newAttempt: z.boolean().default(false),
  viewport: z.string().max(20).default(""),
});

export { SESSION_HEADER };

export const player = defineContracts("player", {
  launch: post("/api/launch/:companyId/:courseId", {
    priority: "learning",
    does: "Open a course session; 409 player.openElsewhere if another window has the course open",
    params: z.object({ companyId: z.uuid(), courseId: z.uuid() }),
    body: launchInput,
    reply: launch,
  }),
  lesson: get("/api/sessions/:id/lessons/:sco", {
    does: "Get a lesson of the course; requires the session token",
    params: z.object({ id: z.uuid(), sco: blockId }),
    reply: sessionLesson,
  }),
  launchActivity: post("/api/sessions/:id/activities", {
    priority: "learning",
    does: "Launch a part that reports by statements (cmi5, xAPI); requires the session token",
    body: z.object({ sco: z.string().max(MAX_SCO_CHARS) }),
    reply: z.object({
      /** Address of the part with its launch parameters, relative to the folder of the package. */
      href: z.string(),
    }),
  }),
  commit: post("/api/sessions/:id/events", {
    priority: "learning",
    maxBytes: 4 * MIB,
    does: "Store numbered events; requires the session token",
    body: commit,
    reply: receipt,
  }),
});
export const canLaunch = isSignedIn;
/** Authorized by the session token in the header, not by the signed-in user. */
export const canCommit = anyone;
