import type { z } from "zod";
import { isErrorCode, MAX_ISSUES, sentence } from "#server/core/http/problem.ts";
import type { ProblemBody } from "#shared/core/route.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

type Issue = NonNullable<ProblemBody["issues"]>[number];
type Raw = z.core.$ZodIssue;
type Text = { code: ErrorCode; values?: Record<string, string | number> };

/**
 * The issues of a failed validation for people, at most one for each field: the code of one of our texts, and that
 * text. Parse with `reportInput`, because a missing value and a wrong one have different texts.
 */
export function explain(error: z.ZodError): Issue[] {
  const byPath = new Map<string, Issue>();
  for (const raw of error.issues.flatMap((issue) => unfold(issue))) {
    const path = raw.path.map(String).join(".");
    if (byPath.has(path)) continue;
    const { code, values } = textOf(raw);
    byPath.set(path, { path, code, message: sentence(code, values) });
    if (byPath.size === MAX_ISSUES) break;
  }
  return [...byPath.values()];
}

/** The issues in one line, for places without fields: `name: Enter a name.` */
export const explainInLine = (error: z.ZodError) =>
  explain(error)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join("; ");

/**
 * For a union, the issues of the branch that the value was meant for, if there is exactly one: the type of the value is
 * right for it.
 */
function unfold(issue: Raw): Raw[] {
  if (issue.code !== "invalid_union" || isEmpty(issue.input)) return [issue];
  const meant = issue.errors.filter((branch) => !branch.some(isOfType));
  // If no type is right, as for a union of text and list, the first branch says what is expected.
  const first = meant.length === 0 ? issue.errors.find(([inner]) => inner?.code === "invalid_type") : meant[0];
  if (!first || meant.length > 1) return [issue];
  return first.flatMap((inner) => unfold({ ...inner, path: [...issue.path, ...inner.path] } as Raw));
}
const isOfType = ({ code, path }: Raw) => path.length === 0 && (code === "invalid_type" || code === "invalid_value");

const isEmpty = (input: unknown) => input === undefined || input === null || input === "";

function textOf(issue: Raw): Text {
  if (isErrorCode(issue.message)) return { code: issue.message };
  if (isMissing(issue)) return { code: missing(issue.path) };
  switch (issue.code) {
    case "invalid_type":
      return { code: typeTexts[issue.expected] ?? "core.badValue" };
    case "too_small":
    case "too_big":
      return sizeText(issue);
    case "invalid_format":
      return { code: formatTexts[issue.format] ?? "core.badFormat" };
    case "invalid_value":
      return choose(issue.values);
    case "not_multiple_of":
      return { code: "core.notMultiple", values: { count: issue.divisor } };
    case "unrecognized_keys":
      return { code: "core.unknownFields", values: { names: listed(issue.keys) } };
    case "invalid_union":
      return "options" in issue && issue.options?.length ? choose(issue.options) : { code: "core.badValue" };
    case "invalid_key":
      return { code: "core.badKey" };
    case "invalid_element":
    case "custom":
      return { code: "core.badValue" };
  }
}

/** Nothing was sent or entered. An empty text counts as missing if a text is required, or if no text could be valid. */
function isMissing({ code, input, ...issue }: Raw) {
  if (code === "unrecognized_keys" || code === "custom" || code === "too_big") return false;
  if (code === "too_small") return "origin" in issue && issue.origin === "string" && String(input).trim() === "";
  return isEmpty(input);
}

/** The code for the name of the field, such as `core.missing.title`. An entry of a list has the name of the list. */
function missing(path: PropertyKey[]): ErrorCode {
  const field = path.findLast((part) => typeof part === "string");
  const code = `core.missing.${String(field)}`;
  return isErrorCode(code) ? code : "core.missing";
}

const typeTexts: Record<string, ErrorCode> = {
  string: "core.notText",
  number: "core.notNumber",
  int: "core.notWhole",
  boolean: "core.notBoolean",
  array: "core.notList",
  tuple: "core.notList",
  object: "core.notObject",
  record: "core.notObject",
  undefined: "core.notEmpty",
  null: "core.notEmpty",
  never: "core.notEmpty",
};

const formatTexts: Record<string, ErrorCode> = {
  email: "core.badEmail",
  url: "core.badUrl",
  uuid: "core.badId",
  date: "core.badDate",
  datetime: "core.badInstant",
  time: "core.badTime",
};

function sizeText(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): Text {
  const isSmall = issue.code === "too_small";
  const count = Number(isSmall ? issue.minimum : issue.maximum);
  const text = (small: ErrorCode, big: ErrorCode) => ({ code: isSmall ? small : big, values: { count } });
  if (issue.origin === "string")
    return issue.exact ? text("core.otherLength", "core.otherLength") : text("core.tooShort", "core.tooLong");
  if (issue.origin === "number" || issue.origin === "int" || issue.origin === "bigint")
    return issue.inclusive ? text("core.tooSmall", "core.tooBig") : text("core.notAbove", "core.notBelow");
  return text("core.tooFew", "core.tooMuch");
}

const choose = (values: readonly unknown[]): Text =>
  values.length === 1
    ? { code: "core.onlyValue", values: { value: String(values[0]) } }
    : { code: "core.badChoice", values: { values: listed(values.map(String)) } };

const MAX_LISTED = 8;
const MAX_LISTED_CHARS = 40;
const listed = (names: string[]) => {
  const shown = names.slice(0, MAX_LISTED).map((name) => name.slice(0, MAX_LISTED_CHARS).toWellFormed());
  return shown.join(", ") + (names.length > MAX_LISTED ? ", …" : "");
};
