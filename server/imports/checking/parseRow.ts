import { EXTERNAL_ID_MAX, IMPORT_MAX_CELL, type SaidOfPerson } from "#shared/imports/imports.ts";
import {
  type ImportColumn,
  type ImportField,
  ownFieldOf,
  type Reason,
  type ReasonCode,
} from "#shared/imports/importReasons.ts";
import type { Field, FieldValues } from "#shared/fields/fields.ts";
import { readFieldText } from "#shared/fields/readFieldText.ts";
import { containsLink, email as emailShape } from "#shared/core/users.ts";

/** The company's own fields by id. */
export type OwnFields = Map<string, Pick<Field, "id" | "kind" | "choices">>;
type Read = { said: SaidOfPerson; faults: Reason[] };

const MAX_NAME = 120;
const MAX_EMAIL = 254;

/** Words for the status of people, in lower case. */
const statusWords: Record<"active" | "suspended", string> = {
  active:
    "active|enabled|employed|invited|true|yes|y|1|aktiv|ja|wahr|beschäftigt|eingeladen|actif|oui|vrai|activo|activa|" +
    "sí|si|verdadero",
  suspended:
    "inactive|disabled|suspended|terminated|left|false|no|n|0|inaktiv|nein|falsch|ausgetreten|gesperrt|inactif|" +
    "inactive|non|faux|parti|suspendu|inactivo|inactiva|falso|baja|suspendido",
};
const statusOf = new Map(
  (["suspended", "active"] as const).flatMap((status) =>
    statusWords[status].split("|").map((word): [string, "active" | "suspended"] => [word, status]),
  ),
);

/** Errors that Excel shows instead of a value. */
const SPREADSHEET_ERROR =
  /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|NV|BEZUG!|WERT!|NOM\?|VALEUR!|¡REF!|¡VALOR!|#+)/i;
/** A number that Excel has rounded: 1.23457E+11. */
const SCIENTIFIC = /^-?\d([.,]\d+)?E\+\d+$/i;
/** UTF-8 that was read as Windows-1252 and stored again: `MÃ¼ller`. */
const GARBLED = /Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[™œ“”˜]|Â[\u00a0-\u00bf]/;
const FORMULA = /^[=+@|＝＋＠]|^-(?=.*[(=!|])/;

/** An exported file has an apostrophe before text that looks like a formula (shared/core/csv.ts). */
const withoutApostrophe = (cell: string) => cell.replace(/^'(?=[\s\p{Cc}]*[=+\-@|%＝＋－＠])/u, "");

/** What the cells of a row say, and every fault that shows without comparing it with other rows. */
export function parseRow(cells: string[], mapping: (ImportColumn | null)[], own: OwnFields = new Map()): Read {
  const faults: Reason[] = [];
  const blame = (field: ImportColumn | null, code: ReasonCode) => {
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

  const email = (cellOf("email") ?? "").replace(/^mailto:/i, "").replace(/^<(.*)>$/, "$1");
  const emailCode = email && emailFault(email);
  if (emailCode) blame("email", emailCode);

  const name = readName(cellOf, blame);
  const said: SaidOfPerson = { email: email.toLowerCase().slice(0, MAX_EMAIL) || null, name };

  const externalId = cellOf("externalId");
  if (externalId) {
    if (SCIENTIFIC.test(externalId)) blame("externalId", "scientific");
    else if (externalId.length > EXTERNAL_ID_MAX) blame("externalId", "tooLong");
    else if (FORMULA.test(externalId)) blame("externalId", "formula");
    said.externalId = externalId;
  }
  const manager = cellOf("manager")?.replace(/^mailto:/i, "");
  if (manager) {
    if (SCIENTIFIC.test(manager)) blame("manager", "scientific");
    else if (manager.length > MAX_EMAIL) blame("manager", "tooLong");
    else if (FORMULA.test(manager)) blame("manager", "formula");
    said.manager = manager.toLowerCase().slice(0, MAX_EMAIL);
  }
  const word = cellOf("status");
  if (word) {
    const status = statusOf.get(word.toLowerCase());
    if (status) said.status = status;
    else blame("status", "unknownStatus");
  }
  const values: FieldValues = {};
  for (const column of mapping) {
    const id = column && ownFieldOf(column);
    const field = id ? own.get(id) : undefined;
    const text = field && cellOf(`own:${field.id}`);
    if (!text) continue;
    const read = readFieldText(field, text);
    if ("value" in read) values[field.id] = read.value;
    else blame(`own:${field.id}`, read.fault);
  }
  if (Object.keys(values).length > 0) said.fields = values;
  return { said, faults };
}

function readName(
  cellOf: (field: ImportField) => string | undefined,
  blame: (field: ImportField | null, code: ReasonCode) => void,
) {
  const parts = (["firstName", "lastName"] as const).map((field) => ({ field, text: cellOf(field) }));
  const whole = cellOf("name");
  const given = parts.filter(({ text }) => text);
  const isWhole = whole !== undefined && (whole !== "" || given.length === 0);
  const from = isWhole ? [{ field: "name" as const, text: whole }] : given;
  for (const { field, text = "" } of from) {
    if (FORMULA.test(text)) blame(field, "formula");
    else if (containsLink(text)) blame(field, "link");
  }
  const name = from
    .map(({ text }) => text)
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  const field = from[0]?.field ?? "name";
  if (name === "") blame(field, "missing");
  else if (name.length > MAX_NAME) blame(field, "tooLong");
  return name.slice(0, MAX_NAME);
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
