import { i18n } from "#web/core/i18n.ts";

/** `English` for `en`. */
export function languageName(code: string) {
  try {
    return new Intl.DisplayNames([i18n.language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
