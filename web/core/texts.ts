import { i18n } from "#web/core/i18n.ts";
import account from "#shared/locales/en/account.json" with { type: "json" };
import audit from "#shared/locales/en/audit.json" with { type: "json" };
import companies from "#shared/locales/en/companies.json" with { type: "json" };
import courses from "#shared/locales/en/courses.json" with { type: "json" };
import events from "#shared/locales/en/events.json" with { type: "json" };
import learners from "#shared/locales/en/learners.json" with { type: "json" };
import mails from "#shared/locales/en/mails.json" with { type: "json" };
import packages from "#shared/locales/en/packages.json" with { type: "json" };
import player from "#shared/locales/en/player.json" with { type: "json" };
import privacy from "#shared/locales/en/privacy.json" with { type: "json" };
import reports from "#shared/locales/en/reports.json" with { type: "json" };
import settings from "#shared/locales/en/settings.json" with { type: "json" };
import web from "#shared/locales/en/web.json" with { type: "json" };

/** Texts of all other pages, one file per domain. A new domain adds its import and its name here. */
export const signedInTexts = {
  account,
  audit,
  companies,
  courses,
  events,
  learners,
  mails,
  packages,
  player,
  privacy,
  reports,
  settings,
  web,
};

i18n.addResourceBundle("en", "translation", signedInTexts, true);
