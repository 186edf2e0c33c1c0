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
