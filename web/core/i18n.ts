import { createInstance } from "i18next";
import { initReactI18next } from "react-i18next";
import auth from "#shared/locales/en/auth.json" with { type: "json" };
import bar from "#shared/locales/en/bar.json" with { type: "json" };
import consent from "#shared/locales/en/consent.json" with { type: "json" };
import core from "#shared/locales/en/core.json" with { type: "json" };

/** Texts of the navigation bar and the pages before login; the others are loaded with the first page that needs them (`texts.ts`). */
export const guestTexts = { auth, bar, consent, core };

export const i18n = createInstance();
void i18n.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  initAsync: false,
  resources: { en: { translation: guestTexts } },
  interpolation: { escapeValue: false },
});
