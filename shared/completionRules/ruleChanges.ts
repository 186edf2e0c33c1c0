import { z } from "zod";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { completionRule } from "#shared/courses/completionRules.ts";

// Before a completion rule applies, all learners of the course are recounted from their stored events

/** How long an applied rule can be undone. */
export const UNDO_HOURS = 24;

export const ruleChangeState = z.enum(["counting", "counted", "applying", "applied", "undoing", "undone"]);
export type RuleChangeState = z.infer<typeof ruleChangeState>;
export const isWorking = (state: RuleChangeState) => ["counting", "applying", "undoing"].includes(state);

export const ruleChange = z.object({
  id: z.uuid(),
  courseId: z.uuid(),
  rule: completionRule,
  state: ruleChangeState,
  /** Learners who are complete, and would not be by this rule, stay complete. */
  keeps: z.boolean(),
  /** Learners of the course, without withdrawn ones, and how many of them were counted so far. */
  total: z.int(),
  counted: z.int(),
  /** Stored events that were applied again. */
  events: z.int(),
  completeBefore: z.int(),
  /** Learners whose events are not all there, and who stay as they are. */
  uncounted: z.int(),
  becomes: z.int(),
  ends: z.int(),
  /** How many meet each test of the rule, in its order. */
  met: z.array(z.int()),
  /** Valid certificates of those who would not be complete. */
  certificates: z.int(),
  madeAt: z.string(),
  madeBy: z.string(),
  appliedAt: z.string().nullable(),
  canUndo: z.boolean(),
});
export type RuleChange = z.infer<typeof ruleChange>;

export const changeOfOne = z.enum(["becomes", "ends"]);
/** Whether a test is met, and what it compares: percent or seconds; null for other tests. */
export const testOutcome = z.object({ isMet: z.boolean(), value: z.number().nullable() });
export type TestOutcome = z.infer<typeof testOutcome>;
export const ruleChangeRow = z.object({
  enrolmentId: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  company: z.string(),
  change: changeOfOne,
  /** When the learner has met the rule, or was completed by an earlier one. */
  happenedAt: z.string().nullable(),
  tests: z.array(testOutcome),
});
export type RuleChangeRow = z.infer<typeof ruleChangeRow>;

/** A rule of the course as it was stored; `by` is empty if it is not known who chose it. */
export const storedRule = z.object({
  id: z.int(),
  rule: completionRule,
  text: z.string(),
  at: z.string(),
  by: z.string(),
});
export type StoredRule = z.infer<typeof storedRule>;

export const ruleChoices = z.object({
  /** Parts that tests can name; `isLive`: the live version has it. */
  parts: z.array(z.object({ sco: z.string(), title: z.string(), isLive: z.boolean() })),
  variables: z.array(z.object({ key: z.string(), label: z.string() })),
  /** The latest first; the first one is in use. */
  rules: z.array(storedRule),
  /** The last change that was applied and can be undone, or is being worked on. */
  applied: ruleChange.nullable(),
});

// Policies

export const canChangeRules = isAdmin;

const id = z.object({ id: z.uuid() });
export const completionRules = defineContracts("completionRules", {
  choices: get("/api/courses/:id/completion-rules", {
    does: "Get the earlier completion rules of a course, and what a rule can ask for",
    params: id,
    reply: ruleChoices,
  }),
  create: post("/api/courses/:id/rule-changes", {
    does: "Count whom another completion rule would complete; nothing changes until it is applied",
    params: id,
    body: z.object({ rule: completionRule }),
    reply: ruleChange,
  }),
  get: get("/api/rule-changes/:id", {
    does: "Get the progress and the result of a change of a completion rule",
    params: id,
    reply: ruleChange,
  }),
  rows: get("/api/rule-changes/:id/rows", {
    does: "List whose completion a rule changes, when they have met it, and why",
    params: id,
    query: listQuery.extend({ change: changeOfOne.optional() }).omit({ q: true }),
    reply: page(ruleChangeRow),
  }),
  apply: post("/api/rule-changes/:id/apply", {
    does: "Apply a completion rule; `keeps`: nobody loses a completion. 409 if the course was changed since `version`",
    params: id,
    body: z.object({ keeps: z.boolean(), version: z.int().min(1) }),
    reply: ruleChange,
  }),
  undo: post("/api/rule-changes/:id/undo", {
    does: "Undo an applied completion rule within 24 hours",
    params: id,
    reply: ruleChange,
  }),
});
