import { ApiError } from "#web/core/http/http.ts";
import { i18n } from "#web/core/i18n.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

/** The message of an error: the server's sentence, translated by its code in other languages. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return (error.isForeign ? null : translate(error.code)) ?? error.message;
  return i18n.t("core.error.unexpected");
}

/** The messages of a failed validation by field path, for form.setErrors. */
export function issuesOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.issues.filter(({ path }) => path).map(({ path, code, message }) => [path, translate(code) ?? message]),
  );
}

/** English texts come from the server with their values filled in; other languages look up the code. */
function translate(code: string) {
  const isTranslated = i18n.language !== "en" && i18n.exists(`problems:${code}`);
  return isTranslated ? i18n.t(`problems:${code as ErrorCode}`) : null;
}
