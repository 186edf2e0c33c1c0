import { createInstance } from "i18next";
import { initReactI18next } from "react-i18next";
import type { signedInTexts } from "#web/core/texts.ts";
import auth from "#shared/locales/en/auth.json" with { type: "json" };
import consent from "#shared/locales/en/consent.json" with { type: "json" };
import core from "#shared/locales/en/core.json" with { type: "json" };
import type problems from "#shared/locales/en/problems.json";

/** What people see before they sign in; the rest comes with the first page behind it (`texts.ts`). */
const english = { auth, consent, core };

/** One file a domain; the key begins with its name: `t('companies.title')`. A missing key does not compile. */
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof english & typeof signedInTexts; problems: typeof problems };
  }
}

export const i18n = createInstance();
void i18n.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  initAsync: false,
  resources: { en: { translation: english } },
  interpolation: { escapeValue: false },
});
