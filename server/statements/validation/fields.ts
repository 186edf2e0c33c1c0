import { badRequest } from "#server/statements/refusals.ts";
import { isUuid } from "#shared/core/uuid.ts";
import { storeLimits } from "#shared/statements/statements.ts";

// Checks of single values (xAPI 1.0.3, Data 4; xAPI 2.0, 4.2.7). Each throws 400 with the path of the value.

export type Fields = Record<string, unknown>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fail = (path: string, what: string) => badRequest(`${path || "the statement"} ${what}`);

/** An object with no members other than `allowed`. */
export function readObject(value: unknown, path: string, allowed: readonly string[]): Fields {
  if (!isObject(value)) throw fail(path, "is not an object");
  for (const key of Object.keys(value))
    if (!allowed.includes(key)) throw fail(path, `has the unknown member ${key.slice(0, 60)}`);
  return value;
}

export function checkString(value: unknown, path: string) {
  if (typeof value !== "string") throw fail(path, "is not a string");
  return value;
}
export function checkBoolean(value: unknown, path: string) {
  if (typeof value !== "boolean") throw fail(path, "is not true or false");
}
export function checkNumber(value: unknown, path: string): number {
  if (typeof value !== "number") throw fail(path, "is not a number");
  return value;
}
export function checkArray(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw fail(path, "is not an array");
  return value as unknown[];
}

export function checkUuid(value: unknown, path: string) {
  if (!isUuid(value)) throw fail(path, "is not a UUID");
  return value;
}

/** An absolute IRI (RFC 3987): a scheme, and no characters that it must not contain. */
const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\p{Cc}]+$/iu;
export const isIri = (value: unknown): value is string =>
  typeof value === "string" && value.length <= storeLimits.identifier && IRI.test(value);
export function checkIri(value: unknown, path: string) {
  if (!isIri(value)) throw fail(path, "is not an absolute IRI");
  return value;
}

/** A language tag (RFC 5646), by its structure. */
const TAG = new RegExp(
  "^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\\d{3}))?" +
    "(?:-(?:[a-z0-9]{5,8}|\\d[a-z0-9]{3}))*(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?" +
    "|x(?:-[a-z0-9]{1,8})+|i-[a-z0-9]{1,8}(?:-[a-z0-9]{1,8})*)$",
  "i",
);
export const isLanguage = (value: unknown) => typeof value === "string" && value.length <= 100 && TAG.test(value);

export function checkLanguageMap(value: unknown, path: string) {
  if (!isObject(value)) throw fail(path, "is not a language map");
  for (const [tag, text] of Object.entries(value)) {
    if (!isLanguage(tag)) throw fail(path, `has the key ${tag.slice(0, 60)}, which is not a language tag`);
    checkString(text, `${path}.${tag}`);
  }
}

export function checkExtensions(value: unknown, path: string) {
  if (!isObject(value)) throw fail(path, "is not an object");
  for (const key of Object.keys(value)) checkIri(key, `the key ${key.slice(0, 60)} of ${path}`);
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,20})?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** A date with a time of day (ISO 8601, RFC 3339), in UTC if it has no offset. The offset -00:00 is refused. */
export function checkTime(value: unknown, path: string): string {
  const parts = typeof value === "string" ? TIME.exec(value) : null;
  if (!parts) throw fail(path, "is not a time");
  const [, , month, day, hour, minute, second = "0", offset = "Z"] = parts;
  const [offsetHour = 0, offsetMinute = 0] = offset.slice(1).replace(":", "").match(/\d\d/g)?.map(Number) ?? [];
  const isReal =
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= (DAYS[Number(month) - 1] ?? 0) &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 60 &&
    offsetHour <= 23 &&
    offsetMinute <= 59;
  if (!isReal || /^-00(:?00)?$/.test(offset)) throw fail(path, "is not a time");
  const time = toUtc(value as string);
  if (time === null) throw fail(path, "is not a time");
  return value as string;
}

/** A time as an ISO string in UTC; null if there is no such time. */
export function toUtc(text: string) {
  const normal = text
    .toUpperCase()
    .replace(" ", "T")
    .replace(",", ".")
    .replace(/T(\d\d:\d\d)(?=Z|[+-]|$)/, "T$1:00")
    .replace(/:60(?=[.Z+-]|$)/, ":59")
    .replace(/([+-]\d\d)(\d\d)$/, "$1:$2")
    .replace(/([+-]\d\d)$/, "$1:00");
  const time = new Date(/(Z|[+-]\d\d:\d\d)$/.test(normal) ? normal : `${normal}Z`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const NUMBER = String.raw`\d{1,20}(?:[.,]\d{1,20})?`;
const DURATION = new RegExp(
  `^P(?=.)(?:${NUMBER}W|(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}D)?` +
    `(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?)$`,
);
/** A duration (ISO 8601); only its last part may be a fraction. */
export function checkDuration(value: unknown, path: string) {
  if (typeof value !== "string" || !DURATION.test(value) || /[.,]\d+[A-Z].*\d/.test(value))
    throw fail(path, "is not a duration");
}

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:[ \t]*;[ \t]*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[ !#-~]*"))*$/;
export function checkMediaType(value: unknown, path: string) {
  if (typeof value !== "string" || value.length > 255 || !MEDIA_TYPE.test(value))
    throw fail(path, "is not a media type");
}
