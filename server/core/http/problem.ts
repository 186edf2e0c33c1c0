import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProblemBody } from "#shared/core/route.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";
import { fillText } from "#shared/variables/templates.ts";

/** The English texts of all errors, by code. */
export const errorTexts = readErrorTexts(join(import.meta.dirname, "../../../shared/locales/en"));

type Extra = {
  details?: Record<string, unknown>;
  issues?: ProblemBody["issues"];
  values?: Record<string, string | number>;
};

/** The most issues that one reply lists. */
export const MAX_ISSUES = 20;

/** An error response: HTTP status, translation key, and the English text of that key. `values` fill in the text. */
export class Problem extends Error {
  status: number;
  code: string;
  extra: Extra;

  constructor(status: number, code: ErrorCode, extra: Extra = {}) {
    super(sentence(code, extra.values));
    this.status = status;
    this.code = code;
    this.extra = extra;
  }

  body(): ProblemBody {
    const { issues, details } = this.extra;
    return {
      error: this.message,
      code: this.code,
      ...(issues && { issues: issues.slice(0, MAX_ISSUES) }),
      ...(details && { details }),
    };
  }
}

/**
 * The English text of a key, with `{{name}}` replaced by values. If `count` is 1, the text of `key_one` is used where
 * it exists.
 */
export function sentence(code: ErrorCode, values: Record<string, string | number> = {}) {
  const one = `${code}_one`;
  const { count } = values;
  const text = errorTexts[count === 1 && isErrorCode(one) ? one : code];
  return fillText(text, typeof count === "number" ? { ...values, count: count.toLocaleString("en") } : values);
}

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTexts, code);

export const notFound = () => new Problem(404, "core.notFound");
export const signedOut = () => new Problem(401, "core.signedOut");
export const forbidden = () => new Problem(403, "core.forbidden");
export const conflict = (code: ErrorCode, details?: Record<string, unknown>, values?: Extra["values"]) =>
  new Problem(409, code, { ...(details && { details }), ...(values && { values }) });
/** 422 for one field, in the format of a failed validation. */
export const badField = (path: string, code: ErrorCode, values?: Record<string, string | number>) =>
  new Problem(422, "core.invalid", { issues: [{ path, code, message: sentence(code, values) }] });
/** 422 for several fields: error codes by path. */
export const badFields = (codes: Record<string, ErrorCode>) =>
  new Problem(422, "core.invalid", {
    issues: Object.entries(codes).map(([path, code]) => ({ path, code, message: sentence(code) })),
  });

/** The texts under `errors` of every domain, by code. */
function readErrorTexts(folder: string) {
  const pairs = readdirSync(folder).flatMap((name) => {
    const { errors } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { errors?: Record<string, string> };
    return Object.entries(errors ?? {}).map(([key, text]) => [`${name.replace(/\.json$/, "")}.${key}`, text]);
  });
  return Object.fromEntries(pairs) as Record<ErrorCode, string>;
}
