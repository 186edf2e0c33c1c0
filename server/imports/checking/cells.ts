import { email as emailShape } from "#shared/core/users.ts";
import { type ImportColumn, type Reason, type ReasonCode } from "#shared/imports/importReasons.ts";
import { EXTERNAL_ID_MAX, IMPORT_MAX_CELL } from "#shared/imports/imports.ts";

// Cells of a row, and the faults that show without comparing it with others

export const MAX_EMAIL = 254;
/** Errors that Excel shows instead of a value. */
const SPREADSHEET_ERROR =
  /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|NV|BEZUG!|WERT!|NOM\?|VALEUR!|¡REF!|¡VALOR!|#+)/i;
/** A number that Excel has rounded: 1.23457E+11. */
export const SCIENTIFIC = /^-?\d([.,]\d+)?E\+\d+$/i;
/** UTF-8 that was read as Windows-1252 and stored again: `MÃ¼ller`. */
const GARBLED = /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[™œ“”˜]|Â[\u00a0-\u00bf]/;
export const FORMULA = /^[=+@|＝＋＠]|^-(?=.*[(=!|])/;

/** An exported file has an apostrophe before text that looks like a formula (shared/core/csv.ts). */
const withoutApostrophe = (cell: string) => cell.replace(/^'(?=[\s\p{Cc}]*[=+\-@|%＝＋－＠])/u, "");

/** A text cut to so many characters, without half of a pair, which PostgreSQL cannot store. */
export const cut = (text: string, length: number) => text.slice(0, length).toWellFormed();

export type Blame = (field: ImportColumn | null, code: ReasonCode) => void;

/** `cellOf`: the text in the column of a field, undefined without such a column. A field is blamed once. */
export function readCells(cells: string[], mapping: (ImportColumn | null)[]) {
  const faults: Reason[] = [];
  const blame: Blame = (field, code) => {
    if (!faults.some((fault) => fault.field === field)) faults.push({ field, code });
  };
  const cellOf = (field: ImportColumn) => {
    const column = mapping.indexOf(field);
    if (column < 0) return undefined;
    const cell = withoutApostrophe((cells[column] ?? "").trim());
    const code = generalFault(cell);
    if (code) blame(field, code);
    return cell;
  };
  if (cells.length > mapping.length) blame(null, "tooManyCells");
  return { faults, blame, cellOf };
}

type CellOf = ReturnType<typeof readCells>["cellOf"];

/** An address in lower case; null without one. */
export function readEmail(cellOf: CellOf, blame: Blame): string | null {
  const email = (cellOf("email") ?? "").replace(/^mailto:/i, "").replace(/^<(.*)>$/, "$1");
  const code = email && emailFault(email);
  if (code) blame("email", code);
  return cut(email.toLowerCase(), MAX_EMAIL) || null;
}

/** A personnel number; undefined without one. */
export function readExternalId(cellOf: CellOf, blame: Blame): string | undefined {
  const externalId = cellOf("externalId");
  if (!externalId) return undefined;
  if (SCIENTIFIC.test(externalId)) blame("externalId", "scientific");
  else if (externalId.length > EXTERNAL_ID_MAX) blame("externalId", "tooLong");
  else if (FORMULA.test(externalId)) blame("externalId", "formula");
  return externalId;
}

/** The fault of a cell that does not depend on its field. */
function generalFault(cell: string): ReasonCode | null {
  if (cell.length > IMPORT_MAX_CELL) return "tooLong";
  if (SPREADSHEET_ERROR.test(cell)) return "spreadsheetError";
  if (cell.includes("\ufffd")) return "unreadable";
  if (GARBLED.test(cell)) return "garbled";
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(cell.replace(/[\t\r\n]/g, ""))) return "controlCharacter";
  return null;
}

function emailFault(email: string): ReasonCode | null {
  if (email.length > MAX_EMAIL) return "tooLong";
  if ((email.match(/@/g) ?? []).length > 1 && /[;,\s]/.test(email)) return "severalAddresses";
  if (/^[^@\s]+@[^@\s.]+$/.test(email)) return "noEnding";
  return emailShape.safeParse(email).success ? null : "invalid";
}
