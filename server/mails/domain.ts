import { sql } from "kysely";
import { defineDomain } from "#server/core/domains/domain.ts";
import {
  addressedTo,
  contract,
  deleted,
  nullValue,
  type Person,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { mailRoutes } from "#server/mails/routes.ts";
import { REDACTED_BODY, sendMail } from "#server/mails/service.ts";

const isTo = (person: Person) => sql<boolean>`user_id = ${person.id} or ${addressedTo("recipient", person)}`;

export const mails = defineDomain({
  name: "mails",
  routes: [mailRoutes],
  jobs: [sendMail],
  tables: { mails: { growth: rows(12, "learner"), kept: withAccount } },
  personalData: {
    entries: [
      deleted("mails", "mails", "Emails sent to you", isTo),
      {
        key: "mails.reply",
        table: "mails",
        what: "Your reply address in emails",
        fate: "delete",
        why: "Only your contact details are removed",
        where: (person) => addressedTo("reply_to", person),
        set: { reply_to: nullValue },
      },
    ],
    sections: [
      {
        key: "mails",
        purpose: "Documenting sent emails",
        basis: contract,
        retention: untilErased,
        table: "mails",
        extra: `${REDACTED_BODY} as body`,
        omit: {
          user_id: SAME_PERSON,
          body: "exported without its links, which are secrets",
          html: "the same text with its links",
          attachments: "tickets and calendar entries hold links",
        },
        keys: ["id"],
        where: isTo,
      },
    ],
  },
});
