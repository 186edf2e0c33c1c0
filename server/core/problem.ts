import texts from "#shared/locales/en/problems.json" with { type: "json" };
import type { ProblemBody } from "#shared/route.ts";

export type ProblemCode = keyof typeof texts;
type Extra = {
  details?: Record<string, unknown>;
  issues?: ProblemBody["issues"];
  values?: Record<string, string | number>;
};

/** A broken rule: HTTP status, translation key, and the English sentence that belongs to the key. */
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
    return { error: this.message, code: this.code, ...(issues && { issues }), ...(details && { details }) };
  }
}

/** The English sentence of a key, with `{{name}}` filled in. */
export function sentence(code: ProblemCode, values: Record<string, string | number> = {}) {
  return texts[code].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
}

export const isProblemCode = (code: string): code is ProblemCode => code in texts;

export const notFound = () => new Problem(404, "core.notFound");
export const signedOut = () => new Problem(401, "core.signedOut");
export const forbidden = () => new Problem(403, "core.forbidden");
export const conflict = (code: ProblemCode, details?: Record<string, unknown>, values?: Extra["values"]) =>
  new Problem(409, code, { ...(details && { details }), ...(values && { values }) });
/** A rule about one field, answered like a failed validation. */
export const badField = (path: string, code: ProblemCode, values?: Record<string, string | number>) =>
  new Problem(422, "core.invalid", { issues: [{ path, code, message: sentence(code, values) }] });
/** The same for several fields at once: their codes by path. */
export const badFields = (faults: Record<string, ProblemCode>) =>
  new Problem(422, "core.invalid", {
    issues: Object.entries(faults).map(([path, code]) => ({ path, code, message: sentence(code) })),
  });
