import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { defineContracts, get, listQuery, page, post, sortBy } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { constraints, variablePrivacy, variableScope, variableType, writeMode } from "#shared/variables/variables.ts";
import { variableValue } from "#shared/variables/variableFigures.ts";
import { refusals } from "#shared/variables/variableTypes.ts";

// Raw Data: every value of a variable as it was captured, corrected, deleted and restored

/** Where a value came from. */
export const valueSource = z.enum(["content", "mapping", "package", "correction", "learner", "api", "flow", "chat"]);

/** Days in which deleted values can be restored; afterwards they are removed from the database. */
export const RESTORE_DAYS = 30;
/** Maximum number of people that a deletion names. */
export const MAX_PEOPLE = 500;
/** Maximum number of columns of the wide view. */
export const MAX_COLUMNS = 30;

export const rawValue = z.object({
  id: z.int(),
  recordedAt: z.string(),
  happenedAt: z.string(),
  userId: z.uuid().nullable(),
  learner: z.string(),
  email: z.string().nullable(),
  companyId: z.uuid(),
  company: z.string(),
  courseId: z.uuid().nullable(),
  course: z.string(),
  courseVersion: z.int().nullable(),
  attemptId: z.uuid().nullable(),
  attempt: z.int().nullable(),
  /** Title of the part that set the value. */
  part: z.string(),
  variableId: z.uuid(),
  key: z.string(),
  label: z.string(),
  type: variableType,
  unit: z.string(),
  scope: variableScope,
  privacy: variablePrivacy,
  /** Null for sensitive variables, as is `previous`. */
  value: variableValue,
  /** The preceding value that counted; null if there was none. */
  previous: variableValue,
  /** Why the value does not count; null if it does. */
  refusal: z.enum(refusals).nullable(),
  source: valueSource,
  /** Label of the variable from which a data flow has passed the value on; empty for other sources. */
  passedFrom: z.string(),
  /** Who corrected or entered it; empty for content. */
  actor: z.string(),
  reason: z.string(),
  corrected: z.boolean(),
  preview: z.boolean(),
  deletedAt: z.string().nullable(),
  sessionId: z.uuid().nullable(),
  /** The conversation without a session that set it. */
  conversationId: z.uuid().nullable(),
  /** Milliseconds since the session, or else the conversation, began. */
  t: z.int().nullable(),
});
export type RawValue = z.infer<typeof rawValue>;

const yesOrNo = z.enum(["yes", "no"]);
export const rawValueFilter = z.object({
  q: listQuery.shape.q,
  companyId: z.uuid().optional(),
  courseId: z.uuid().optional(),
  variableId: z.uuid().optional(),
  userId: z.uuid().optional(),
  source: valueSource.optional(),
  /** Part of a text value. */
  contains: z.string().trim().max(200).optional(),
  /** Bounds of a numeric value. */
  atLeast: z.coerce.number().optional(),
  atMost: z.coerce.number().optional(),
  /** Days in UTC on which the value was recorded. */
  from: day.optional(),
  to: day.optional(),
  preview: yesOrNo.default("no"),
  deleted: yesOrNo.default("no"),
});
export type RawValueFilter = z.infer<typeof rawValueFilter>;

/** Formats of an export of values: spreadsheets, or one JSON object per line. */
export const valueFormat = z.enum(["csv", "xlsx", "jsonl"]);
export type ValueFormat = z.infer<typeof valueFormat>;

/** One attempt with the values that were set in it, by the id of the variable; null for sensitive variables. */
export const attemptValues = z.object({
  attemptId: z.uuid(),
  userId: z.uuid().nullable(),
  learner: z.string(),
  email: z.string().nullable(),
  companyId: z.uuid(),
  company: z.string(),
  course: z.string(),
  courseVersion: z.int(),
  attempt: z.int(),
  completion: z.enum(["incomplete", "complete"]),
  success: z.enum(["unknown", "passed", "failed"]),
  scorePercent: z.number().nullable(),
  activeSeconds: z.int().nullable(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  values: z.record(z.string(), variableValue),
});
export type AttemptValues = z.infer<typeof attemptValues>;

/** The values of one subject, newest first, with their aggregates. */
export const valueHistory = z.object({
  label: z.string(),
  key: z.string(),
  type: variableType,
  unit: z.string(),
  constraints,
  scope: variableScope,
  writeMode,
  privacy: variablePrivacy,
  current: variableValue,
  values: z.array(rawValue),
  total: z.int(),
});
export type ValueHistory = z.infer<typeof valueHistory>;

const deletionInput = z.object({
  courseId: z.uuid(),
  variableIds: z.array(z.uuid()).min(1).max(500).optional(),
  companyId: z.uuid().optional(),
  userIds: z.array(z.uuid()).min(1).max(MAX_PEOPLE).optional(),
  /** Days in UTC on which the values were set. */
  from: day.optional(),
  to: day.optional(),
  /** Only values of previews by admins. */
  onlyPreview: z.boolean().default(false),
});
export type DeletionInput = z.infer<typeof deletionInput>;

export const deletionPreview = z.object({
  values: z.int(),
  variables: z.int(),
  learners: z.int(),
  sessions: z.int(),
  previewSessions: z.int(),
  firstAt: z.string().nullable(),
  lastAt: z.string().nullable(),
  sample: z.array(rawValue),
});
export type DeletionPreview = z.infer<typeof deletionPreview>;

export const deletion = z.object({
  id: z.uuid(),
  courseId: z.uuid().nullable(),
  course: z.string(),
  company: z.string(),
  values: z.int(),
  deletedAt: z.string(),
  deletedBy: z.string(),
  restorableUntil: z.string(),
  restoredAt: z.string().nullable(),
  restoredBy: z.string(),
  purgedAt: z.string().nullable(),
});
export type Deletion = z.infer<typeof deletion>;

export const canReadRawData = isAdmin;

const reason = z.string().trim().min(3).max(300);

/** A value as its learner sees it. `editable`: it can be corrected with `correctMine`. */
const ownValue = z.object({
  variableId: z.uuid(),
  label: z.string(),
  description: z.string(),
  type: variableType,
  unit: z.string(),
  constraints,
  valueId: z.int(),
  value: variableValue,
  happenedAt: z.string(),
  editable: z.boolean(),
});
export type OwnValue = z.infer<typeof ownValue>;
/** The reason stored with a correction by the learner. */
export const OWN_CORRECTION = "corrected by the learner";

export const rawData = defineContracts("rawData", {
  list: get("/api/variable-values", {
    keyScope: "values:read",
    does: "List the values of variables as they were recorded, newest first",
    query: listQuery.omit({ sort: true }).extend(rawValueFilter.shape),
    /** `isMore`: counting stopped at `total`, and there are more values. */
    reply: page(rawValue).extend({ isMore: z.boolean() }),
  }),
  export: get("/api/variable-values/export", {
    does: "Export all values that match a filter, newest first; the header x-rows is their number",
    query: rawValueFilter.extend({
      format: valueFormat.default("csv"),
      /** Replaces learners by pseudonyms that are different in every export. */
      pseudonyms: yesOrNo.default("no"),
    }),
    reply: z.string(),
  }),
  attempts: get("/api/variable-values/attempts", {
    does: "List the attempts at a course with the values set in them",
    query: listQuery.extend({
      courseId: z.uuid(),
      companyId: z.uuid().optional(),
      /** Ids of the variables that are columns, separated by commas. */
      variableIds: z
        .string()
        .max(40 * MAX_COLUMNS)
        .default(""),
      sort: sortBy("learner", "startedAt").default("-startedAt"),
    }),
    reply: page(attemptValues),
  }),
  history: get("/api/variable-values/history", {
    does: "Get the values of a learner, attempt or company for a variable, newest first, whether it is defined or not",
    query: listQuery.omit({ q: true, sort: true }).extend({
      variableId: z.uuid(),
      userId: z.uuid().optional(),
      courseId: z.uuid().optional(),
      attemptId: z.uuid().optional(),
      companyId: z.uuid().optional(),
    }),
    reply: valueHistory,
  }),
  correct: post("/api/variable-values/:valueId/correct", {
    does: "Correct a value: a new value replaces it, and both stay in the history",
    params: z.object({ valueId: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    body: z.object({ value: variableValue, reason }),
    reply: z.object({ id: z.int() }),
  }),
  mine: get("/api/my-values", {
    does: "List a learner's own values in a course: current values of the variables that learners may see",
    query: z.object({ courseId: z.uuid() }),
    reply: z.object({ items: z.array(ownValue) }),
  }),
  correctMine: post("/api/my-values/:variableId/correct", {
    does: "Correct one's own current value, if its variable allows it: both values stay in the history",
    params: z.object({ variableId: z.uuid() }),
    body: z.object({ courseId: z.uuid(), valueId: z.int().min(1), value: variableValue }),
    reply: z.object({ id: z.int() }),
  }),
  removeValue: post("/api/variable-values/:valueId/delete", {
    does: "Delete one value; it can be restored for 30 days",
    params: z.object({ valueId: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    reply: deletion,
  }),
  previewDeletion: post("/api/variable-deletions/preview", {
    does: "Count what a deletion of course variables would delete; changes nothing",
    body: deletionInput,
    reply: deletionPreview,
  }),
  remove: post("/api/variable-deletions", {
    does: "Delete values of a course; `code` is its code, `values` the number that the preview has shown",
    body: deletionInput.extend({ code: z.string().trim().max(40), values: z.int() }),
    reply: deletion,
  }),
  listDeletions: get("/api/variable-deletions", {
    does: "List deletions of course variables, newest first",
    query: listQuery.omit({ q: true, sort: true }).extend({ courseId: z.uuid().optional() }),
    reply: page(deletion),
  }),
  restore: post("/api/variable-deletions/:id/restore", {
    does: "Restore deleted values within 30 days",
    reply: deletion,
  }),
});
