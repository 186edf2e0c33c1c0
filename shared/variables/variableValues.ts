import { parseSeconds } from "#shared/player/runTimeData.ts";

// What a value of a variable may be, and how several values become the current one. Without zod, because the player
// shell checks values with the same functions as the server.

export const variableTypes = ["number", "text", "boolean", "choice", "multi", "duration", "date", "json"] as const;
export type VariableType = (typeof variableTypes)[number];
/** Whose value it is: one value per attempt, per learner and course, per learner, or per company. */
export const variableScopes = ["attempt", "course", "learner", "company"] as const;
export type VariableScope = (typeof variableScopes)[number];
/** Which of the values of one subject counts. */
export const writeModes = ["last", "first", "max", "min", "sum"] as const;
export type WriteMode = (typeof writeModes)[number];

/**
 * A stored value: a number (durations in seconds), a text (dates as YYYY-MM-DD), a boolean, options of a choice, or any
 * JSON.
 */
export type VariableValue = string | number | boolean | null | VariableValue[] | { [key: string]: VariableValue };

export type Constraints = {
  min?: number;
  max?: number;
  /** Step between the allowed numbers, starting at `min` or 0. */
  step?: number;
  /** Characters of a text. */
  maxLength?: number;
  options?: string[];
};

/** Limits of every value, regardless of its definition. */
export const MAX_TEXT_CHARS = 10_000;
export const MAX_JSON_CHARS = 20_000;
/** Keys that one course may send without a definition. */
export const MAX_NEW_KEYS = 200;
/** Values that one session may set. */
export const MAX_SESSION_VALUES = 5000;

/** The form of a key; packages may send other spellings, see `normaliseKey`. */
export const KEY_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * A name as packages use it (`SelfRating`, `self-rating`) as a key (`self_rating`); null if nothing of it is usable.
 */
export function normaliseKey(name: string): string | null {
  const key = name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 64);
  return KEY_PATTERN.test(key) ? key : null;
}

/** Why a value is refused; the texts are `variables.refusals.*`. */
export const refusals = [
  "notNumber",
  "notBoolean",
  "notText",
  "notOption",
  "notList",
  "notDuration",
  "notDate",
  "notJson",
  "belowMin",
  "aboveMax",
  "offStep",
  "tooLong",
  "readOnly",
  "archived",
] as const;
export type Refusal = (typeof refusals)[number];

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

/** One accepted value of a subject. `at` is when it happened, in ms since 1970; `id` decides between equal times. */
export type ValueEvent = { id: number; at: number; value: VariableValue };

/** The folded values of one subject. */
export type FoldedValue = {
  count: number;
  /** The value that counts, by write mode. */
  current: VariableValue;
  currentAt: number;
  currentId: number;
  first: VariableValue;
  firstAt: number;
  firstId: number;
  lastAt: number;
};

/**
 * Adds a value to those folded before; the order of the calls makes no difference to the result. Numbers of a sum that
 * exceed the safe range of a double lose precision.
 */
export function foldValue(mode: WriteMode, before: FoldedValue | null, event: ValueEvent): FoldedValue {
  if (!before)
    return {
      count: 1,
      current: event.value,
      currentAt: event.at,
      currentId: event.id,
      first: event.value,
      firstAt: event.at,
      firstId: event.id,
      lastAt: event.at,
    };
  const folded = { ...before, count: before.count + 1, lastAt: Math.max(before.lastAt, event.at) };
  if (isBefore(event, { at: before.firstAt, id: before.firstId }))
    Object.assign(folded, { first: event.value, firstAt: event.at, firstId: event.id });
  if (mode === "sum") {
    folded.current = Number(before.current) + Number(event.value);
    if (isBefore({ at: before.currentAt, id: before.currentId }, event))
      Object.assign(folded, { currentAt: event.at, currentId: event.id });
  } else if (replaces[mode](event, before))
    Object.assign(folded, { current: event.value, currentAt: event.at, currentId: event.id });
  return folded;
}

type Moment = { at: number; id: number };
const isBefore = (a: Moment, b: Moment) => a.at < b.at || (a.at === b.at && a.id < b.id);
/** Order of numbers, dates and texts. */
const isLess = (a: VariableValue, b: VariableValue) =>
  typeof a === "number" && typeof b === "number" ? a < b : String(a) < String(b);
const momentOfCurrent = ({ currentAt, currentId }: FoldedValue): Moment => ({ at: currentAt, id: currentId });

const replaces: Record<Exclude<WriteMode, "sum">, (event: ValueEvent, before: FoldedValue) => boolean> = {
  last: (event, before) => isBefore(momentOfCurrent(before), event),
  first: (event, before) => isBefore(event, momentOfCurrent(before)),
  // Of equal values the earliest counts, as for records.
  max: (event, before) =>
    isLess(before.current, event.value) ||
    (!isLess(event.value, before.current) && isBefore(event, momentOfCurrent(before))),
  min: (event, before) =>
    isLess(event.value, before.current) ||
    (!isLess(before.current, event.value) && isBefore(event, momentOfCurrent(before))),
};
