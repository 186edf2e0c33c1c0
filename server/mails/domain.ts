import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, untilRemoved, withAccount } from "#server/core/domains/tables.ts";
import { mailRoutes } from "#server/mails/routes.ts";
import { sendMail } from "#server/mails/service.ts";
import { personalData } from "#server/mails/personalData.ts";

export const mails = defineDomain({
  name: "mails",
  routes: [mailRoutes],
  jobs: [sendMail],
  tables: {
    mails: { growth: rows(12, "learner"), kept: withAccount },
    mail_server: {
      growth: rows(1, "installation"),
      kept: untilRemoved,
      authors: { updated_by: "The mail server you last changed" },
      notPersonal: { "the server, and its account": "host username password sender_name" },
      notExported: "published: every email says who sent it",
    },
  },
  personalData,
});
