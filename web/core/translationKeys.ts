import type { guestTexts } from "#web/core/i18n.ts";
import type * as textFiles from "#web/core/textFiles.ts";
import type problems from "#shared/locales/en/problems.json";

/** Typed translation keys, one file per domain: `t("companies.title")`. An unknown key is a compile error. */
declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: {
      translation: typeof guestTexts & typeof textFiles;
      problems: typeof problems;
    };
  }
}
