import { cut, FORMULA, readCells, readEmail, readExternalId } from "#server/imports/checking/cells.ts";
import { type DateReading, readDate } from "#shared/fields/readDate.ts";
import { readNumber } from "#shared/fields/readFieldText.ts";
import { type ImportColumn, type Reason } from "#shared/imports/importReasons.ts";
import { MAX_REFERENCE, MAX_TITLE, type SaidOfCompletion } from "#shared/imports/imports.ts";

/** What the cells of a row say about a completion, and every fault that shows without comparing it with other rows. */
export function parseCompletion(
  cells: string[],
  mapping: (ImportColumn | null)[],
  reading: DateReading,
): { said: SaidOfCompletion; faults: Reason[] } {
  const { faults, blame, cellOf } = readCells(cells, mapping);
  const email = readEmail(cellOf, blame);
  const externalId = readExternalId(cellOf, blame);
  if (email === null && externalId === undefined) blame(mapping.includes("email") ? "email" : "externalId", "missing");
  const course = (cellOf("course") ?? "").replace(/\s+/g, " ");
  if (course === "") blame("course", "missing");
  else if (course.length > MAX_TITLE) blame("course", "tooLong");
  else if (FORMULA.test(course)) blame("course", "formula");
  const written = cellOf("completedOn") ?? "";
  const day = written === "" ? ({ fault: "missing" } as const) : readDate(written, reading);
  if ("fault" in day) blame("completedOn", day.fault);
  const reference = (cellOf("reference") ?? "").replace(/\s+/g, " ");
  if (reference.length > MAX_REFERENCE) blame("reference", "tooLong");
  else if (FORMULA.test(reference)) blame("reference", "formula");
  const said: SaidOfCompletion = {
    email,
    course: cut(course, MAX_TITLE),
    completedOn: "value" in day ? day.value : null,
    reference: cut(reference, MAX_REFERENCE),
  };
  if (externalId !== undefined) said.externalId = externalId;
  const [, percent, sign] = /^(.*?)\s?(%?)$/.exec(cellOf("score") ?? "") ?? [];
  if (percent) {
    const score = readNumber(percent);
    if ("fault" in score) blame("score", score.fault);
    else if (score.value < 0 || score.value > 100) blame("score", "notAScore");
    // As spreadsheets store 95 %.
    else if (!sign && score.value > 0 && score.value <= 1) blame("score", "fraction");
    else said.score = score.value;
  }
  return { said, faults };
}
