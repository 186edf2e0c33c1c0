import { day } from "#shared/core/dates.ts";
import { type Field, type FieldValue, MAX_FIELD_TEXT } from "#shared/fields/fields.ts";

/** Why a text is no value of a field. */
export type FieldFault = "tooLong" | "unknownChoice" | "notADate" | "unclearDate" | "notANumber" | "unclearNumber";
type Read = { value: FieldValue } | { fault: FieldFault };

/** The value that a text means, as people write it in files. What has two meanings is refused, never guessed. */
export function readFieldText({ kind, choices }: Pick<Field, "kind" | "choices">, text: string): Read {
  if (text.length > MAX_FIELD_TEXT) return { fault: "tooLong" };
  if (kind === "text") return { value: text };
  if (kind === "date") return readDate(text);
  if (kind === "number") return readNumber(text);
  const name = text.toLowerCase();
  const choice = choices.find((one) => one.name.toLowerCase() === name);
  return choice ? { value: choice.id } : { fault: "unknownChoice" };
}

/** `2026-03-29`, also with a time; `29.3.2026`; `29/03/2026` or `03/29/2026` if only one of them is a day. */
function readDate(text: string): Read {
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ]\d\d:\d\d.*)?$/.exec(text);
  if (iso) return toDay(iso[1], iso[2], iso[3]);
  const dotted = /^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})$/.exec(text);
  if (dotted) return toDay(dotted[3], dotted[2], dotted[1]);
  const [, first, second, year] = /^(\d\d?)[/-](\d\d?)[/-](\d{4})$/.exec(text) ?? [];
  if (!first || !second) return { fault: "notADate" };
  if (Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)) return { fault: "unclearDate" };
  return Number(first) > 12 ? toDay(year, second, first) : toDay(year, first, second);
}

function toDay(year = "", month = "", date = ""): Read {
  const value = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return day.safeParse(value).success ? { value } : { fault: "notADate" };
}

const PLAIN = /^[+-]?\d+(?:[.,]\d+)?$/;
/** A single separator before three digits could be either. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
const GROUPED = /^[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/;
const GROUPED_DECIMAL = /^[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?!\1)[.,]\d+$/;

/** `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1.234.567`. */
function readNumber(text: string): Read {
  const compact = text.replace(/(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g, "");
  if (UNCLEAR.test(compact)) return { fault: "unclearNumber" };
  const group = (GROUPED_DECIMAL.exec(compact) ?? GROUPED.exec(compact))?.[1] ?? "";
  const plain = group === "" ? compact : compact.replaceAll(group, "");
  if (!PLAIN.test(plain)) return { fault: "notANumber" };
  const value = Number(plain.replace(",", "."));
  return Math.abs(value) <= 1e15 ? { value } : { fault: "notANumber" };
}
