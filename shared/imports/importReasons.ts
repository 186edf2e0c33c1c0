import { z } from "zod";

// Why a row of an import is not imported

export const importField = z.enum([
  "email",
  "name",
  "firstName",
  "lastName",
  "externalId",
  "status",
  "manager",
  "course",
  "completedOn",
  "score",
  "reference",
]);
export type ImportField = z.infer<typeof importField>;
/** What the rows of a file are about: people, or courses that people have completed before or elsewhere. */
export const importAbout = z.enum(["people", "completions"]);
export type ImportAbout = z.infer<typeof importAbout>;
/** The fields that a column can be. */
export const fieldsAbout: Record<ImportAbout, ImportField[]> = {
  people: ["email", "name", "firstName", "lastName", "externalId", "status", "manager"],
  completions: ["email", "externalId", "course", "completedOn", "score", "reference"],
};
/** What a column can be: one of these, or a field of the company's own by its id. */
export const ownColumn = z.templateLiteral(["own:", z.uuid()]);
export const importColumn = z.union([importField, ownColumn]);
export type ImportColumn = z.infer<typeof importColumn>;
/** The id of the company's own field that a column is; null for the others. */
export const ownFieldOf = (column: ImportColumn) => (column.startsWith("own:") ? column.slice("own:".length) : null);

/** What can be wrong with a row, apart from the field. Each has a text under `imports.reasons`. */
export const reasonCode = z.enum([
  "missing",
  "invalid",
  "noEnding",
  "severalAddresses",
  "tooLong",
  "spreadsheetError",
  "scientific",
  "unreadable",
  "garbled",
  "formula",
  "link",
  "controlCharacter",
  "duplicate",
  "otherCompany",
  "isAdmin",
  "taken",
  "differentPeople",
  "unknownStatus",
  "newButSuspended",
  "tooManyCells",
  "full",
  "leftMeanwhile",
  "unknownManager",
  "ownManager",
  "managerCycle",
  "unknownChoice",
  "notADate",
  "unclearDate",
  "notANumber",
  "unclearNumber",
  "unknownPerson",
  "unknownCourse",
  "severalCourses",
  "inFuture",
  "notAScore",
  "fraction",
]);
export type ReasonCode = z.infer<typeof reasonCode>;

/** `field` is null if the whole row is wrong; `row` is the other row of a duplicate. */
export const reason = z.object({
  field: importColumn.nullable(),
  code: reasonCode,
  row: z.int().optional(),
});
export type Reason = z.infer<typeof reason>;
