import { ApiError } from "#web/core/api/http.ts";
import { i18n } from "#web/core/i18n.ts";

/** What to tell people about a failure: the server's sentence, translated by its code when another language is on. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return translated(error.code) ?? error.message;
  return i18n.t("core.error.unexpected");
}

/** The messages of a failed validation by field name (`body.name` and `name` are the same); for form.setErrors. */
export function issuesOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.issues.filter(({ path }) => path).map(({ path, code, message }) => [path, translated(code) ?? message]),
  );
}

/** English comes from the server, which knows the values; other languages look the code up. */
function translated(code: string) {
  const key = `problems:${code}`;
  return i18n.language !== "en" && i18n.exists(key) ? (i18n.t(key as never) as string) : null;
}
