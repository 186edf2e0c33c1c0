import { z } from "zod";
import { changes, defineContracts, get, listQuery, page, patch, post } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";

// Button prompts: a labelled button that runs the live version of a prompt once, for a learner of a course.

export const buttonStatus = z.enum(["draft", "active", "archived"]);

/**
 * A condition on the value of a learner; a missing value meets only `missing`. `words`: a text has at least this number
 * of words.
 */
export const visibleWhen = z.object({
  key: z.string().max(64),
  is: z.enum(["known", "missing", "equal", "atLeast", "atMost", "words"]),
  value: z.union([z.string().max(200), z.number()]).default(""),
});
export type VisibleWhen = z.infer<typeof visibleWhen>;

/** A variable that the answer fills in; its type and limits are those of the variable. */
export const buttonOutput = z.object({ key: z.string().max(64), about: z.string().trim().max(300).default("") });

export const buttonInput = z.object({
  /** Packages call the button by it: `Lyceum.runPrompt("explain")`. Immutable. */
  key: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,63}$/, { error: "prompts.badKey" }),
  label: z.string().trim().min(1).max(40),
  promptId: z.uuid(),
  connectorId: z.uuid().nullable().default(null),
  model: z.string().trim().max(200).nullable().default(null),
  courseIds: z.array(z.uuid()).max(200).default([]),
  outputs: z.array(buttonOutput).max(10).default([]),
  visibleWhen: visibleWhen.nullable().default(null),
  /** Runs per learner and day in the time zone of the company; null: unlimited. */
  dailyLimit: z.int().min(1).max(1000).nullable().default(10),
  cooldownSeconds: z.int().min(0).max(86_400).default(0),
  /** Confirmation before a run; empty: none. */
  confirmText: z.string().trim().max(300).default(""),
  failureText: z.string().trim().min(1).max(300).default("This did not work. Try again later."),
});
export type ButtonInput = z.infer<typeof buttonInput>;

export const buttonPrompt = buttonInput.extend({
  id: z.uuid(),
  status: buttonStatus,
  prompt: z.string(),
  /** The prompt is archived, and every run fails. */
  isPromptArchived: z.boolean(),
  /** Number of the live version of the prompt; null if none is live, and every run fails. */
  liveNumber: z.int().nullable(),
  courses: z.array(z.object({ id: z.uuid(), title: z.string() })),
  /** Of the last 30 days. */
  runs: z.int(),
  failed: z.int(),
  cost: z.number(),
  version: z.int(),
  updatedAt: z.string(),
});
export type ButtonPrompt = z.infer<typeof buttonPrompt>;

/** A button as a learner of the course sees it. */
export const offeredButton = z.object({
  id: z.uuid(),
  key: z.string(),
  label: z.string(),
  confirmText: z.string(),
  isVisible: z.boolean(),
  /** Remaining runs of today; null: unlimited. */
  left: z.int().nullable(),
});
export const buttonAnswer = z.object({
  /** False: the model did not answer, and `text` is the fallback of the admin. */
  isAnswered: z.boolean(),
  text: z.string(),
  /** Values that were written, by key. */
  values: z.record(z.string(), variableValue),
  left: z.int().nullable(),
});
export type ButtonAnswer = z.infer<typeof buttonAnswer>;

export const canManageButtons = isAdmin;
/** The run itself also checks enrolment in the course. */
export const canRunButtons = isSignedIn;

/** The id or the key of a button. */
const idOrKey = z.object({ id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/) });

export const buttonPrompts = defineContracts("buttonPrompts", {
  list: get("/api/button-prompts", {
    does: "List the button prompts",
    query: listQuery.omit({ sort: true }).extend({
      courseId: z.uuid().optional(),
      status: buttonStatus.optional(),
    }),
    reply: page(buttonPrompt),
  }),
  create: post("/api/button-prompts", {
    does: "Add a button prompt as a draft",
    body: buttonInput,
    reply: buttonPrompt,
  }),
  update: patch("/api/button-prompts/:id", {
    does: "Change a button prompt; 409 if it changed since `version`",
    body: changes(buttonInput.omit({ key: true })).extend({ version: z.int() }),
    reply: buttonPrompt,
  }),
  setStatus: post("/api/button-prompts/:id/status", {
    does: "Activate, pause or archive a button prompt",
    body: z.object({ status: buttonStatus }),
    reply: buttonPrompt,
  }),
  offered: get("/api/courses/:id/button-prompts", {
    does: "List the buttons of a course as the signed-in learner may use them",
    reply: z.object({ items: z.array(offeredButton) }),
  }),
  run: post("/api/button-prompts/:id/run", {
    does: "Run a button prompt, by its id or key, for the signed-in learner of a course",
    params: idOrKey,
    body: z.object({ courseId: z.uuid(), input: z.string().trim().max(8000).default("") }),
    reply: buttonAnswer,
  }),
});
