import { z } from "zod";
import { instant } from "#shared/core/dates.ts";
import { changes, defineContracts, get, listQuery, MIB, page, patch, post, sortBy } from "#shared/core/route.ts";
import { isAcademyAdmin, isAdmin } from "#shared/core/users.ts";
import { MAX_TEMPLATE_CHARS } from "#shared/variables/templates.ts";
import { parsePath } from "#shared/variables/variablePaths.ts";
import {
  variableValue,
  distribution,
  variableStatistics,
  companyValues,
  subjectValue,
  leaderboard,
} from "#shared/variables/variableFigures.ts";
import {
  KEY_PATTERN,
  refusals,
  MAX_TEXT_CHARS,
  variableScopes,
  variableTypes,
  writeModes,
} from "#shared/variables/variableTypes.ts";

// Variables: what learners rate, choose and say, defined once and shared by courses and chatbots. A definition sets
// type and limits of the values. Each value of a learner is an append-only event; the current value of a subject is
// folded from its events.

export const variableType = z.enum(variableTypes);
export const variableScope = z.enum(variableScopes);
export const writeMode = z.enum(writeModes);
/**
 * `new`: content has sent the key and nobody has defined it; its values are kept. `ignored`: as `new`, and not offered
 * any more. `archived`: accepts no values.
 */
export const variableStatus = z.enum(["new", "active", "archived", "ignored"]);
export const variablePrivacy = z.enum(["none", "personal", "sensitive"]);
/** What a course may do with a variable. */
export const variableAccess = z.enum(["read", "write", "both"]);

const MAX_OPTIONS = 50;
export const constraints = z
  .object({
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().positive().optional(),
    maxLength: z.int().min(1).max(MAX_TEXT_CHARS).optional(),
    options: z.array(z.string().trim().min(1).max(200)).min(1).max(MAX_OPTIONS).optional(),
  })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    error: "variables.rangeReversed",
    path: ["max"],
  })
  .refine(({ options }) => !options || new Set(options).size === options.length, {
    error: "variables.optionTwice",
    path: ["options"],
  });

const courseUse = z.object({
  courseId: z.uuid(),
  access: variableAccess,
  /** A value of the SCORM data model that sets the variable (`parsePath`); null if only content itself does. */
  path: z
    .string()
    .trim()
    .max(300)
    .refine((path) => parsePath(path) !== null, { error: "variables.badPath" })
    .nullable()
    .default(null),
});

export const variableKey = z.string().trim().regex(KEY_PATTERN, { error: "variables.badKey" });

/** The fields of a definition that admins edit. */
export const variableInput = z.object({
  key: variableKey,
  label: z.string().trim().min(1).max(120),
  description: z.string().trim().max(1000).default(""),
  type: variableType,
  unit: z.string().trim().max(20).default(""),
  constraints: constraints.default({}),
  scope: variableScope.default("learner"),
  writeMode: writeMode.default("last"),
  defaultValue: variableValue.default(null),
  privacy: variablePrivacy.default("none"),
  learnerVisible: z.boolean().default(true),
  learnerEditable: z.boolean().default(false),
  usableInPrompts: z.boolean().default(true),
  leaderboard: z.boolean().default(false),
  retentionDays: z.int().min(1).max(3650).nullable().default(null),
  /** The courses that may read or write it. A variable of several courses is shared by them. */
  courses: z.array(courseUse).max(200).default([]),
});
export type VariableInput = z.infer<typeof variableInput>;
/** A definition as callers send it: fields with defaults may be missing. */
export type VariableDraft = z.input<typeof variableInput>;

/** `key`: the name used by the content of the course; after a merge it may differ from the key of the definition. */
const usedCourse = courseUse.extend({ key: z.string(), title: z.string(), code: z.string() });

export const variable = variableInput.extend({
  id: z.uuid(),
  status: variableStatus,
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  courses: z.array(usedCourse),
  /** Subjects with a current value: learners, attempts or companies, by scope. */
  subjects: z.int(),
  learners: z.int(),
  lastValueAt: z.string().nullable(),
  /** Null for sensitive variables: their values are not charted. */
  distribution: distribution.nullable(),
  median: z.number().nullable(),
  /** The most frequent option and its share, 0 to 1. */
  top: z.object({ label: z.string(), share: z.number() }).nullable(),
});
export type Variable = z.infer<typeof variable>;

/** Replaces the values of sensitive variables in the events of a session. */
export const MASKED_VALUE = "masked";

/** A key that content has sent and that is not defined. */
export const seenKey = z.object({
  id: z.uuid(),
  key: z.string(),
  courseId: z.uuid(),
  course: z.string(),
  values: z.int(),
  /** Type that the values suggest, and a few of them. */
  type: variableType,
  samples: z.array(variableValue),
  firstSeenAt: z.string(),
});
export type SeenKey = z.infer<typeof seenKey>;

/** A value sent by a package that can be mapped to a variable. */
export const sentValue = z.object({
  path: z.string(),
  /** The question, if it is an answer to one. */
  question: z.string(),
  part: z.string(),
  samples: z.array(z.string()),
  attempts: z.int(),
});
export type SentValue = z.infer<typeof sentValue>;

export const canManageVariables = isAdmin;
/** A merge moves the values of all companies. */
export const canMergeVariables = isAcademyAdmin;

export const variableSort = sortBy("label", "key", "type", "learners", "lastValueAt");
const list = listQuery.extend({
  courseId: z.uuid().optional(),
  type: variableType.optional(),
  status: z.enum(["active", "archived"]).default("active"),
  privacy: variablePrivacy.optional(),
  sort: variableSort.default("label"),
});

/** The key of a variable is immutable, because packages send it. */
const variableUpdate = changes(variableInput.omit({ key: true })).extend({ version: z.int() });
const keysToDecide = z.object({ ids: z.array(z.uuid()).min(1).max(500) });

export const variables = defineContracts("variables", {
  list: get("/api/variables", {
    keyScope: "values:read",
    does: "List the defined variables",
    query: list,
    reply: page(variable),
  }),
  get: get("/api/variables/:id", { keyScope: "values:read", does: "Get a variable", reply: variable }),
  statistics: get("/api/variables/:id/statistics", {
    keyScope: "values:read",
    does: "Get the statistics of the current values of a variable",
    query: z.object({ companyId: z.uuid().optional() }),
    reply: variableStatistics,
  }),
  companies: get("/api/variables/:id/companies", {
    keyScope: "values:read",
    does: "Compare the current values of a variable by company",
    query: listQuery.omit({ q: true }),
    reply: page(companyValues),
  }),
  values: get("/api/variables/:id/values", {
    keyScope: "values:read",
    does: "List the current value of each learner, attempt or company",
    query: listQuery.extend({
      companyId: z.uuid().optional(),
      sort: sortBy("name", "value", "lastAt").default("-lastAt"),
    }),
    reply: page(subjectValue),
  }),
  leaderboard: get("/api/variables/:id/leaderboard", {
    does: "Rank the learners by a numeric variable; learners with equal values share a place",
    query: z.object({ companyId: z.uuid().optional() }),
    reply: leaderboard,
  }),
  create: post("/api/variables", { does: "Define a variable", body: variableInput, reply: variable }),
  update: patch("/api/variables/:id", {
    does: "Change a definition; 409 if it changed since `version`",
    body: variableUpdate,
    reply: variable,
  }),
  archive: post("/api/variables/:id/archive", {
    does: "Archive a variable: it accepts no values, and those it has are kept",
    reply: variable,
  }),
  restore: post("/api/variables/:id/restore", { does: "Make an archived variable active again", reply: variable }),
  merge: post("/api/variables/:id/merge", {
    does: "Merge another variable into this one: its courses and values become those of this one",
    body: z.object({ otherId: z.uuid() }),
    reply: variable,
  }),
  sentValues: get("/api/variable-sources", {
    does: "List what the package of a course has sent in its latest attempts",
    query: z.object({ courseId: z.uuid() }),
    reply: z.object({ items: z.array(sentValue) }),
  }),
  preview: post("/api/variable-templates/preview", {
    does: "Show a text with the values of a learner in place of its placeholders",
    body: z.object({
      text: z.string().max(MAX_TEMPLATE_CHARS),
      userId: z.uuid(),
      courseId: z.uuid().nullable().default(null),
      target: z.enum(["plain", "html", "markdown"]).default("plain"),
    }),
    reply: z.object({ text: z.string(), missing: z.array(z.string()) }),
  }),
  sendValues: post("/api/variable-values", {
    does: "Store values that another system sends; a value that was sent before with the same id is not stored again",
    keyScope: "values:write",
    maxBytes: MIB,
    body: z.object({
      values: z
        .array(
          z.object({
            /**
             * Idempotency key, unique in the learner's company: a repeated id is the same value, even if the other
             * fields differ.
             */
            id: z.uuid(),
            variableId: z.uuid(),
            userId: z.uuid(),
            courseId: z.uuid().nullable().default(null),
            value: variableValue,
            /** When it happened; now if missing. */
            happenedAt: instant.optional(),
          }),
        )
        .min(1)
        .max(500),
    }),
    reply: z.object({
      /**
       * In the order of the request. `refusal`: why the stored value does not count, including values stored earlier.
       */
      items: z.array(z.object({ id: z.uuid(), stored: z.boolean(), refusal: z.enum(refusals).nullable() })),
    }),
  }),
  newKeys: get("/api/variable-keys", {
    does: "List the keys that content has sent and nobody has defined",
    query: listQuery.extend({ courseId: z.uuid().optional() }),
    reply: page(seenKey),
  }),
  defineKey: post("/api/variable-keys/:id/define", {
    does: "Define a key that content has sent; the values it has are kept",
    body: variableInput.omit({ key: true }),
    reply: variable,
  }),
  ignoreKeys: post("/api/variable-keys/ignore", {
    does: "Stop offering keys that nobody has defined; their values are kept",
    body: keysToDecide,
    reply: z.object({ changed: z.int() }),
  }),
});
