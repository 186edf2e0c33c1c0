import { createInstance, type FormatterModule } from "i18next";
import { initReactI18next } from "react-i18next";
import { numberIn } from "#web/core/numbers.ts";
import auth from "#shared/locales/en/auth.json" with { type: "json" };
import bar from "#shared/locales/en/bar.json" with { type: "json" };
import consent from "#shared/locales/en/consent.json" with { type: "json" };
import core from "#shared/locales/en/core.json" with { type: "json" };

/**
 * Texts of the navigation bar and the pages before login; the others are loaded with the modules that name their keys
 * (`scripts/_textImports.ts`).
 */
export const guestTexts = { auth, bar, consent, core };

/** Values that are names, not amounts: years and version numbers. */
const ordinalKeys = new Set(["number", "year", "status"]);
/** Decimals of an amount in a text, as JavaScript shows numbers of a language. */
const MAX_DECIMALS = 3;
/** Gives every number in a text the thousands separators of the language. */
const amounts: FormatterModule = {
  type: "formatter",
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: unknown, _format, language, options) =>
    typeof value === "number" && !ordinalKeys.has(options?.interpolationkey as string)
      ? numberIn(language ?? "en", value, MAX_DECIMALS)
      : (value as string),
};

export const i18n = createInstance();
void i18n
  .use(amounts)
  .use(initReactI18next)
  .init({
    lng: "en",
    fallbackLng: "en",
    initAsync: false,
    resources: { en: { translation: guestTexts } },
    interpolation: { escapeValue: false, alwaysFormat: true },
  });
