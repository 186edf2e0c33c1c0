import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { mailRoutes } from "#server/mails/routes.ts";
import { sendMail } from "#server/mails/service.ts";
import { personalData } from "#server/mails/personalData.ts";

export const mails = defineDomain({
  name: "mails",
  routes: [mailRoutes],
  jobs: [sendMail],
  tables: { mails: { growth: rows(12, "learner"), kept: withAccount } },
  personalData,
});
