import { z } from "zod";
import { field, type FieldValues } from "#shared/fields/fields.ts";
import { importAbout, importColumn, importField, reason } from "#shared/imports/importReasons.ts";
import { defineContracts, del, get, listQuery, page, patch, post, put } from "#shared/core/route.ts";
import { isAdmin, userStatus } from "#shared/core/users.ts";

// Imports of people of one company, or of what they have completed, from a file: upload, columns, check, apply, undo

/** Bounds of a file. */
export const IMPORT_MAX_BYTES = 20 * 1024 ** 2;
export const IMPORT_MAX_ROWS = 50_000;
export const IMPORT_MAX_COLUMNS = 60;
export const IMPORT_MAX_CELL = 1000;
/** Hours in which an import can be undone. */
export const UNDO_HOURS = 24;
/** Days after which the rows of an import are deleted. */
export const IMPORT_DAYS = 30;
/** Percentage of the members above which suspensions must be confirmed by typing their number. */
export const CONFIRM_ABOVE_PERCENT = 5;
/** Maximum length of a personnel number. */
export const EXTERNAL_ID_MAX = 64;

/** `reading`, `checking`, `applying` and `undoing` are the work of a job; `ready` waits for an admin. */
export const importState = z.enum([
  "reading",
  "checking",
  "ready",
  "applying",
  "applied",
  "undoing",
  "undone",
  "failed",
]);
export type ImportState = z.infer<typeof importState>;
export const isWorking = (state: ImportState) => ["reading", "checking", "applying", "undoing"].includes(state);

/** Why a file cannot be read. Each has a text under `imports.failures`. */
export const fileFailure = z.enum([
  "empty",
  "noRows",
  "unknownFormat",
  "oldFormat",
  "encrypted",
  "damaged",
  "archiveBomb",
  "tooManyRows",
  "tooManyColumns",
  "unclosedQuote",
  "tooMuchWork",
  "gone",
  "failed",
]);
export type FileFailure = z.infer<typeof fileFailure>;

export const outcome = z.enum(["create", "update", "same", "rejected", "leftOut"]);
export type Outcome = z.infer<typeof outcome>;
/** What happens to people who are already in the company. */
export const existing = z.enum(["update", "skip"]);
/** How 03/04/2026 is read. `iso`: not at all, only dates that are clear. */
export const dateOrder = z.enum(["iso", "dayFirst", "monthFirst"]);
const mapping = z.array(importColumn.nullable()).max(IMPORT_MAX_COLUMNS);

const counts = z.object({
  create: z.int(),
  update: z.int(),
  same: z.int(),
  rejected: z.int(),
  leftOut: z.int(),
  /** Rows that have been imported. */
  applied: z.int(),
  /** Rows that change a person and say that they are suspended. */
  suspend: z.int(),
});

export const peopleImport = z.object({
  id: z.uuid(),
  companyId: z.uuid(),
  company: z.string(),
  about: importAbout,
  createdBy: z.string().nullable(),
  createdAt: z.string(),
  fileName: z.string(),
  state: importState,
  code: z.string().nullable(),
  codeRow: z.int().nullable(),
  done: z.int(),
  total: z.int(),
  appliedAt: z.string().nullable(),
  undoneAt: z.string().nullable(),
});
export type PeopleImport = z.infer<typeof peopleImport>;

export const importDetail = peopleImport.extend({
  format: z.enum(["csv", "xlsx"]).nullable(),
  delimiter: z.string().nullable(),
  encoding: z.string().nullable(),
  head: z.array(z.string()),
  /** The cells of the first row, as an example of each column. */
  sample: z.array(z.string()),
  mapping,
  /** The company's own fields, which columns can be, too. */
  fields: z.array(field.pick({ id: true, name: true, kind: true })),
  existing,
  dates: dateOrder,
  /** Completions of courses that are not here are kept by their title. */
  keepsUnknown: z.boolean(),
  invites: z.boolean(),
  /** People of the company need no email address, but then a personnel number. */
  hasPinLogin: z.boolean(),
  /** Required fields that have no column yet. */
  unmapped: z.array(importField),
  counts,
  leavers: z.int(),
  /** Active and invited people of the company. */
  members: z.int(),
  /** People whom undoing left as they are. */
  stayed: z.int(),
  canUndo: z.boolean(),
});
export type ImportDetail = z.infer<typeof importDetail>;

export const importRow = z.object({
  number: z.int(),
  cells: z.array(z.string()),
  outcome: outcome.nullable(),
  reasons: z.array(reason),
  userId: z.uuid().nullable(),
  applied: z.boolean(),
  undone: z.enum(["restored", "acted", "changed"]).nullable(),
});
export type ImportRow = z.infer<typeof importRow>;

export const leaver = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  status: userStatus,
  externalId: z.string().nullable(),
  lastActive: z.string().nullable(),
});

export const stayed = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  why: z.enum(["acted", "changed"]),
});

/** Whether this many suspensions must be confirmed by typing their number. */
export const needsNumber = (suspended: number, members: number) =>
  suspended > 0 && suspended * 100 > members * CONFIRM_ABOVE_PERCENT;

/** What a row says about a person; what is missing stays as it is. `manager`: an email or a personnel number. */
export type SaidOfPerson = {
  /** Null leaves the address of a person as it is; a new person has none. */
  email: string | null;
  name: string;
  externalId?: string;
  status?: "active" | "suspended";
  manager?: string;
  /** Values of the company's own fields. */
  fields?: FieldValues;
};
/** Lengths of the title of a course, and of what proves a completion. */
export const MAX_TITLE = 200;
export const MAX_REFERENCE = 200;
/** What a row says about a completion. */
export type SaidOfCompletion = {
  email: string | null;
  externalId?: string;
  course: string;
  /** A calendar day. */
  completedOn: string | null;
  /** Percent. */
  score?: number;
  reference: string;
};
/** A person before an import changed them, and the state it left, by which later changes are recognised. */
export type PersonBefore = {
  was: Record<string, string | number | boolean | null> & { fields?: FieldValues };
  now: { name: string; email: string | null; status: string; number: string | null; fields?: FieldValues };
};

// Who may do what

export const canImportPeople = isAdmin;

// Endpoints

const rowParams = z.object({ id: z.uuid(), number: z.coerce.number().int().min(1) });

export const imports = defineContracts("imports", {
  list: get("/api/imports", {
    does: "List the imports of people of the last 30 days",
    query: listQuery.omit({ q: true, sort: true }).extend({ companyId: z.uuid().optional() }),
    reply: page(peopleImport),
  }),
  create: post("/api/imports", {
    does:
      "Import people of a company, or what they have completed before or elsewhere, from a file that was uploaded " +
      "with the purpose `import`; a job reads it",
    body: z.object({
      companyId: z.uuid(),
      about: importAbout.default("people"),
      path: z.string().max(1024),
      name: z.string().trim().min(1).max(200),
    }),
    reply: importDetail,
  }),
  get: get("/api/imports/:id", { does: "Get an import with its columns and counts", reply: importDetail }),
  rows: get("/api/imports/:id/rows", {
    does: "List the rows of an import",
    query: listQuery.omit({ q: true, sort: true }).extend({ outcome: outcome.optional() }),
    reply: page(importRow),
  }),
  map: put("/api/imports/:id/mapping", {
    does: "Choose the field of each column; remembered for the company, and all rows are checked again",
    body: z.object({
      mapping,
      existing: existing.default("update"),
      dates: dateOrder.default("iso"),
      keepsUnknown: z.boolean().default(false),
    }),
    reply: importDetail,
  }),
  correct: patch("/api/imports/:id/rows/:number", {
    does: "Correct cells of a row by column, from 0, or leave it out; it is checked immediately",
    params: rowParams,
    body: z.object({
      cells: z.record(z.string().regex(/^\d{1,2}$/), z.string().max(IMPORT_MAX_CELL)).optional(),
      leftOut: z.boolean().optional(),
    }),
    reply: importRow,
  }),
  rejected: get("/api/imports/:id/rejected", {
    priority: "heavy",
    does: "Export the rejected rows with their reasons as CSV, to correct and import again",
    reply: z.string(),
  }),
  leavers: get("/api/imports/:id/leavers", {
    does: "List people of the company who are missing from the file",
    query: listQuery.omit({ q: true, sort: true }),
    reply: page(leaver),
  }),
  apply: post("/api/imports/:id/apply", {
    maxBytes: 512 * 1024,
    does: "Import the accepted rows in a job; 409 if the suspensions need confirmation by their number",
    body: z.object({
      invites: z.boolean(),
      /** Required if there are leavers. */
      leavers: z.enum(["keep", "suspend"]).optional(),
      /** Leavers who are not suspended. */
      keepIds: z.array(z.uuid()).max(10_000).default([]),
      /** The number of people who will be suspended, as typed. */
      confirm: z.int().optional(),
    }),
    reply: importDetail,
  }),
  undo: post("/api/imports/:id/undo", {
    does: "Undo an import within 24 hours, in a job; people who have acted since stay",
    reply: importDetail,
  }),
  stayed: get("/api/imports/:id/stayed", {
    does: "List people whom the undoing of an import left as they are, and why",
    query: listQuery.omit({ q: true, sort: true }),
    reply: page(stayed),
  }),
  remove: del("/api/imports/:id", { does: "Delete an import that is not at work; it can no longer be undone" }),
});
