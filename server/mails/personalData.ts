import { sql } from "kysely";
import {
  addressedTo,
  contract,
  deleted,
  emptyText,
  nullValue,
  type Person,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { PRIVATE_REASONS, REDACTED_BODY } from "#server/mails/service.ts";

const isTo = (person: Person) => sql<boolean>`user_id = ${person.id} or ${addressedTo("recipient", person)}`;

export const personalData: PersonalData = {
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
    {
      key: "mailServer.sender",
      table: "mail_server",
      what: "Your address as sender of emails",
      fate: "delete",
      why: "Only your contact details are removed",
      where: (person) => addressedTo("sender_address", person),
      set: { sender_address: emptyText },
    },
  ],
  sections: [
    {
      key: "mails",
      purpose: "Documenting sent emails",
      basis: contract,
      retention: untilErased,
      table: "mails",
      onlyForSelf: sql`mails.reason = any(${PRIVATE_REASONS})`,
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
};
