import { accounts } from "#shared/account.ts";
import { audit } from "#shared/audit.ts";
import { auth } from "#shared/auth.ts";
import { companies } from "#shared/companies.ts";
import { consents } from "#shared/consent.ts";
import { courses } from "#shared/courses.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { events } from "#shared/events.ts";
import { learners } from "#shared/learners.ts";
import { mails } from "#shared/mails.ts";
import { player } from "#shared/player.ts";
import { privacy } from "#shared/privacy.ts";
import { reports } from "#shared/reports.ts";
import { academies } from "#shared/settings.ts";
import { sso } from "#shared/sso.ts";

/** All endpoints of the product, by domain. The OpenAPI document and the guard test are generated from this list. */
export const contracts = {
  auth,
  accounts,
  companies,
  learners,
  courses,
  player,
  reports,
  mails,
  events,
  eventRegistrations,
  sso,
  consents,
  privacy,
  audit,
  settings: academies,
};
