import type { Texts } from "#shared/locales/catalogue.ts";
import type { ErrorCode } from "#shared/locales/errors.ts";

/** Typed translation keys, one file per domain: `t("companies.title")`. An unknown key is a compile error. */
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: {
      translation: Texts;
      problems: Record<ErrorCode, string>;
    };
  }
}
