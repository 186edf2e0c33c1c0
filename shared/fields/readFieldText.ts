import { type Field, type FieldValue, MAX_FIELD_TEXT } from "#shared/fields/fields.ts";
import { type DateOrder, readDate } from "#shared/fields/readDate.ts";

/** Why a text is no value of a field. */
export type FieldFault = "tooLong" | "unknownChoice" | "notADate" | "unclearDate" | "notANumber" | "unclearNumber";
type Fault = { fault: FieldFault };
type Read = { value: FieldValue } | Fault;

/** The value that a text means, as people write it in files. What has two meanings is refused, never guessed. */
export function readFieldText(
  { kind, choices }: Pick<Field, "kind" | "choices">,
  text: string,
  dates: DateOrder = "iso",
): Read {
  if (text.length > MAX_FIELD_TEXT) return { fault: "tooLong" };
  if (kind === "text") return { value: text };
  if (kind === "date") return readDate(text, { dates });
  if (kind === "number") return readNumber(text);
  const name = text.toLowerCase();
  const choice = choices.find((one) => one.name.toLowerCase() === name);
  return choice ? { value: choice.id } : { fault: "unknownChoice" };
}

const PLAIN = /^[+-]?\d+(?:[.,]\d+)?$/;
/** A single separator before three digits could be either. */
const UNCLEAR = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;
const GROUPED = /^[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+$/;
const GROUPED_DECIMAL = /^[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?!\1)[.,]\d+$/;

/** `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1.234.567`. */
export function readNumber(text: string): Fault | { value: number } {
  const compact = text.replace(/(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/g, "");
  if (UNCLEAR.test(compact)) return { fault: "unclearNumber" };
  const group = (GROUPED_DECIMAL.exec(compact) ?? GROUPED.exec(compact))?.[1] ?? "";
  const plain = group === "" ? compact : compact.replaceAll(group, "");
  if (!PLAIN.test(plain)) return { fault: "notANumber" };
  const value = Number(plain.replace(",", "."));
  return Math.abs(value) <= 1e15 ? { value } : { fault: "notANumber" };
}
