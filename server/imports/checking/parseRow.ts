import {
  type Blame,
  cut,
  FORMULA,
  MAX_EMAIL,
  readCells,
  readEmail,
  readExternalId,
  SCIENTIFIC,
} from "#server/imports/checking/cells.ts";
import type { SaidOfPerson } from "#shared/imports/imports.ts";
import { type ImportColumn, type ImportField, ownFieldOf, type Reason } from "#shared/imports/importReasons.ts";
import type { Field, FieldValues } from "#shared/fields/fields.ts";
import type { DateOrder } from "#shared/fields/readDate.ts";
import { readFieldText } from "#shared/fields/readFieldText.ts";
import { containsLink } from "#shared/core/users.ts";

/** The company's own fields by id. */
export type OwnFields = Map<string, Pick<Field, "id" | "kind" | "choices">>;
type Read = { said: SaidOfPerson; faults: Reason[] };

const MAX_NAME = 120;

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

/** What the cells of a row say, and every fault that shows without comparing it with other rows. */
export function parseRow(
  cells: string[],
  mapping: (ImportColumn | null)[],
  own: OwnFields = new Map(),
  dates: DateOrder = "iso",
): Read {
  const { faults, blame, cellOf } = readCells(cells, mapping);
  const email = readEmail(cellOf, blame);
  const name = readName(cellOf, blame);
  const said: SaidOfPerson = { email, name };
  const externalId = readExternalId(cellOf, blame);
  if (externalId !== undefined) said.externalId = externalId;
  const manager = cellOf("manager")?.replace(/^mailto:/i, "");
  if (manager) {
    if (SCIENTIFIC.test(manager)) blame("manager", "scientific");
    else if (manager.length > MAX_EMAIL) blame("manager", "tooLong");
    else if (FORMULA.test(manager)) blame("manager", "formula");
    said.manager = cut(manager.toLowerCase(), MAX_EMAIL);
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
    const read = readFieldText(field, text, dates);
    if ("value" in read) values[field.id] = read.value;
    else blame(`own:${field.id}`, read.fault);
  }
  if (Object.keys(values).length > 0) said.fields = values;
  return { said, faults };
}

function readName(cellOf: (field: ImportField) => string | undefined, blame: Blame) {
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
  return cut(name, MAX_NAME);
}
