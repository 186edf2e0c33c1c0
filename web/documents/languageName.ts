import { i18n } from "#web/core/i18n.ts";

/** The name of a language by its ISO code: "English"; empty for none. */
export function languageName(code: string) {
  if (!code) return "";
  try {
    return new Intl.DisplayNames(i18n.language, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
