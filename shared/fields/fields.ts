import { z } from "zod";
import { day } from "#shared/core/dates.ts";
import { changes, defineContracts, del, get, patch, post } from "#shared/core/route.ts";
import { isAdmin, isSignedIn } from "#shared/core/users.ts";

// Fields of one's own: what a company or the academy wants to know of its people besides name and email

/** Bounds: fields of one company with those of all companies, archived ones included; choices; characters of a text. */
export const MAX_FIELDS = 50;
export const MAX_FIELD_CHOICES = 200;
export const MAX_FIELD_TEXT = 1000;
/** The largest number: integers up to it are exact. */
const MAX_NUMBER = 1e15;

export const fieldKind = z.enum(["text", "choice", "date", "number"]);
export type FieldKind = z.infer<typeof fieldKind>;
/** Who sees a value: admins, or also the learner whose it is. */
export const visibleTo = z.enum(["admins", "learner"]);

const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, " ");
const fieldName = z.string().overwrite(oneLine).trim().min(1).max(80);
/** Values are the ids of choices, so that a choice can be renamed. */
export const fieldChoice = z.object({ id: z.uuid(), name: z.string().overwrite(oneLine).trim().min(1).max(120) });
export type FieldChoice = z.infer<typeof fieldChoice>;
const isDistinct = (names: string[]) => new Set(names.map((name) => name.toLowerCase())).size === names.length;
/** A choice without an id is new. */
const choices = z
  .array(fieldChoice.extend({ id: z.uuid().optional() }))
  .max(MAX_FIELD_CHOICES)
  .refine((list) => isDistinct(list.map(({ name }) => name)), { error: "fields.choiceTwice" });

const settings = z.object({ name: fieldName, choices: choices.default([]), visibleTo: visibleTo.default("admins") });
export const fieldInput = settings.extend({
  /** Null: for the people of all companies. */
  companyId: z.uuid().nullable(),
  /** Identifies the field for other systems, and cannot be changed. */
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, { error: "fields.badKey" }),
  kind: fieldKind,
});

export const field = z.object({
  id: z.uuid(),
  companyId: z.uuid().nullable(),
  key: z.string(),
  name: z.string(),
  kind: fieldKind,
  choices: z.array(fieldChoice),
  visibleTo,
  archivedAt: z.string().nullable(),
  version: z.int(),
  /** Learners with a value; of a field of all companies, those of the company that was asked for. */
  people: z.int(),
});
export type Field = z.infer<typeof field>;

/** A text, a day (`2026-03-29`), the id of a choice, or a number. */
export const fieldValue = z.union([
  z.string().trim().min(1).max(MAX_FIELD_TEXT),
  z.number().min(-MAX_NUMBER).max(MAX_NUMBER),
]);
export type FieldValue = z.infer<typeof fieldValue>;
/** Values of a person by the id of the field. */
export const fieldValues = z.record(z.uuid(), fieldValue);
export type FieldValues = z.infer<typeof fieldValues>;
/** Values to change; null removes one, and what is missing stays. */
export const fieldChanges = z
  .record(z.uuid(), fieldValue.nullable())
  .refine((values) => Object.keys(values).length <= MAX_FIELDS, { error: "fields.tooMany" });

/** Whether a value fits its field. A choice may be that of an archived field. */
export function isValueOf({ kind, choices: offered }: Pick<Field, "kind" | "choices">, value: FieldValue) {
  if (kind === "number") return typeof value === "number";
  if (typeof value !== "string") return false;
  if (kind === "date") return day.safeParse(value).success;
  return kind === "text" || offered.some(({ id }) => id === value);
}

/** A filter of a list of people: fields and values as `id=value&id=value`, encoded like a query. */
export const fieldFilter = z
  .string()
  .max(4000)
  .refine((text) => readFieldFilter(text) !== null, { error: "fields.badFilter" });
const filterEntry = z.tuple([z.uuid(), z.string().min(1).max(MAX_FIELD_TEXT)]);
export function readFieldFilter(text: string) {
  const parsed = z
    .array(filterEntry)
    .max(MAX_FIELDS)
    .safeParse([...new URLSearchParams(text)]);
  return parsed.success ? parsed.data : null;
}

// Who may do what

export const canManageFields = isAdmin;
export const canReadOwnFields = isSignedIn;

// Endpoints

export const fields = defineContracts("fields", {
  list: get("/api/fields", {
    does: "List the fields of the people of a company, or those that all companies have, in order of their names",
    query: z.object({ companyId: z.uuid().optional(), archived: z.enum(["yes", "no"]).default("no") }),
    reply: z.object({ items: z.array(field) }),
  }),
  create: post("/api/fields", {
    does: "Add a field to the people of a company or, with null, of all companies",
    body: fieldInput,
    reply: field,
  }),
  update: patch("/api/fields/:id", {
    does: "Change a field; 409 if it changed since `version`, or if people have a choice that is missing",
    body: changes(settings).extend({ version: z.int() }),
    reply: field,
  }),
  archive: post("/api/fields/:id/archive", {
    does: "Archive a field: it is offered nowhere, and its values are kept; 409 while a group uses it",
    reply: field,
  }),
  restore: post("/api/fields/:id/restore", { does: "Offer an archived field again", reply: field }),
  remove: del("/api/fields/:id", { does: "Delete a field that nobody has a value of" }),
  ofPerson: get("/api/fields/people/:id", {
    does: "List the fields of a learner with their values; learners get only their own, and those that they may see",
    reply: z.object({
      items: z.array(field.pick({ id: true, name: true, kind: true }).extend({ text: z.string().nullable() })),
    }),
  }),
});
