import texts from "#shared/locales/en/problems.json" with { type: "json" };
import type { ProblemBody } from "#shared/core/route.ts";
import { fillText } from "#shared/variables/templates.ts";

export type ProblemCode = keyof typeof texts;
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

  constructor(status: number, code: ProblemCode, extra: Extra = {}) {
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
export function sentence(code: ProblemCode, values: Record<string, string | number> = {}) {
  const one = `${code}_one`;
  const { count } = values;
  const text = texts[count === 1 && isProblemCode(one) ? one : code];
  return fillText(text, typeof count === "number" ? { ...values, count: count.toLocaleString("en") } : values);
}

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(texts, code);

export const notFound = () => new Problem(404, "core.notFound");
export const signedOut = () => new Problem(401, "core.signedOut");
export const forbidden = () => new Problem(403, "core.forbidden");
export const conflict = (code: ProblemCode, details?: Record<string, unknown>, values?: Extra["values"]) =>
  new Problem(409, code, { ...(details && { details }), ...(values && { values }) });
/** 422 for one field, in the format of a failed validation. */
export const badField = (path: string, code: ProblemCode, values?: Record<string, string | number>) =>
  new Problem(422, "core.invalid", { issues: [{ path, code, message: sentence(code, values) }] });
/** 422 for several fields: error codes by path. */
export const badFields = (codes: Record<string, ProblemCode>) =>
  new Problem(422, "core.invalid", {
    issues: Object.entries(codes).map(([path, code]) => ({ path, code, message: sentence(code) })),
  });
