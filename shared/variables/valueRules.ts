import { parseSeconds } from "#shared/player/runTimeData.ts";
import {
  type VariableType,
  type VariableValue,
  type Constraints,
  MAX_TEXT_CHARS,
  MAX_JSON_CHARS,
  type Refusal,
} from "#shared/variables/variableTypes.ts";

// What a variable makes of a raw value: the value in its type, or why it is refused

export type ParsedValue = { value: VariableValue; refusal?: never } | { refusal: Refusal; value?: never };
type ValueRules = { type: VariableType; constraints: Constraints };

/**
 * Reads a value as the type of a definition and checks its constraints. Texts that represent a value of the type are
 * accepted, because SCORM and authoring tools send only texts: `"7"`, `"true"`, `"PT1H"`, `"a[,]b"` (SCORM 2004 RTE
 * 4.1.1.7).
 */
export function parseVariableValue({ type, constraints }: ValueRules, raw: unknown): ParsedValue {
  const parsed = parsers[type](raw, constraints);
  if (parsed.refusal || typeof parsed.value !== "number") return parsed;
  return checkRange(parsed.value, constraints);
}

const refuse = (refusal: Refusal): ParsedValue => ({ refusal });

/**
 * The number that a text represents, in decimal digits with a point or a comma: `-7`, `.5`, `7,5`. An exponent is
 * accepted, because tools write small numbers as `1e-7`. Null for any other text, even if JavaScript would convert it:
 * hexadecimal, empty, infinite.
 */
export function parseNumber(text: string): number | null {
  const decimal = text.trim().replace(",", ".");
  const number = DECIMAL.test(decimal) ? Number(decimal) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

const parsers: Record<VariableType, (raw: unknown, constraints: Constraints) => ParsedValue> = {
  number: (raw) => {
    const number = typeof raw === "string" ? parseNumber(raw) : raw;
    return typeof number === "number" && Number.isFinite(number) ? { value: number } : refuse("notNumber");
  },
  duration: (raw) => {
    const seconds = typeof raw === "string" ? (parseSeconds(raw.trim()) ?? parseNumber(raw)) : raw;
    return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0
      ? { value: seconds }
      : refuse("notDuration");
  },
  text: (raw, { maxLength }) => {
    if (typeof raw !== "string" && typeof raw !== "number" && typeof raw !== "boolean") return refuse("notText");
    const text = String(raw);
    return text.length <= Math.min(maxLength ?? MAX_TEXT_CHARS, MAX_TEXT_CHARS) ? { value: text } : refuse("tooLong");
  },
  boolean: (raw) => {
    const spelling = typeof raw === "string" ? raw.trim().toLowerCase() : raw;
    if (spelling === true || spelling === 1 || spelling === "true" || spelling === "1") return { value: true };
    if (spelling === false || spelling === 0 || spelling === "false" || spelling === "0") return { value: false };
    return refuse("notBoolean");
  },
  choice: (raw, { options }) => {
    if (typeof raw !== "string" && typeof raw !== "number" && typeof raw !== "boolean") return refuse("notOption");
    const text = String(raw).trim();
    if (text.length > MAX_OPTION_CHARS) return refuse("tooLong");
    return !options || options.includes(text) ? { value: text } : refuse("notOption");
  },
  multi: (raw, { options }) => {
    const list = typeof raw === "string" ? raw.split(raw.includes("[,]") ? "[,]" : ",") : raw;
    if (!Array.isArray(list) || list.length > MAX_CHOSEN) return refuse("notList");
    const chosen = [...new Set(list.map((one) => String(one).trim()).filter(Boolean))];
    if (chosen.some((one) => one.length > MAX_OPTION_CHARS)) return refuse("tooLong");
    return !options || chosen.every((one) => options.includes(one)) ? { value: chosen } : refuse("notOption");
  },
  date: (raw) => {
    const day = typeof raw === "string" ? raw.trim().slice(0, 10) : "";
    const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
    // 31 February would be read as a day in March.
    const isDay = Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
    return isDay ? { value: day } : refuse("notDate");
  },
  json: (raw) => {
    if (raw === undefined) return refuse("notJson");
    return JSON.stringify(raw).length <= MAX_JSON_CHARS ? { value: raw as VariableValue } : refuse("tooLong");
  },
};
const MAX_OPTION_CHARS = 200;
const MAX_CHOSEN = 100;

function checkRange(value: number, { min, max, step }: Constraints): ParsedValue {
  if (min !== undefined && value < min) return refuse("belowMin");
  if (max !== undefined && value > max) return refuse("aboveMax");
  const steps = step ? (value - (min ?? 0)) / step : 0;
  // Decimal steps such as 0.1 are not exact in binary.
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? { value } : refuse("offStep");
}

/** Guesses the type of an undefined key from a value. */
export function guessType(value: VariableValue): VariableType {
  if (typeof value === "boolean" || value === "true" || value === "false") return "boolean";
  if (typeof value === "number") return "number";
  if (Array.isArray(value)) return "multi";
  if (typeof value === "object") return "json";
  return value.length <= 20 && parseNumber(value) !== null ? "number" : "text";
}
