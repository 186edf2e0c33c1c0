// Checks of stored JSON and of messages, for what every page reads: a schema would load zod with it

type Check = (value: unknown) => boolean;
/** A check for every field of `T`. */
type Shape<T> = { [field in keyof T]-?: Check };

export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
export const isText: Check = (value) => typeof value === "string";
export const isFlag: Check = (value) => typeof value === "boolean";
export const isTrue: Check = (value) => value === true;
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value);

/** The fields of `shape`, if the value is an object whose fields pass their checks; otherwise null. */
export function readShape<T extends object>(value: unknown, shape: Shape<T>): T | null {
  if (!isObject(value)) return null;
  const fields = Object.keys(shape) as (keyof T & string)[];
  const stored = value as Partial<Record<keyof T & string, unknown>>;
  if (!fields.every((field) => shape[field](stored[field]))) return null;
  return Object.fromEntries(fields.filter((field) => field in stored).map((field) => [field, stored[field]])) as T;
}
