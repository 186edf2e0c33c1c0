import { sql } from "kysely";
import {
  contract,
  deleted,
  ownedBy,
  type PersonalData,
  SAME_PERSON,
  untilErased,
} from "#server/core/domains/personalData.ts";
import { NOTIFICATION_DAYS } from "#shared/notifications/notifications.ts";

export const personalData: PersonalData = {
  entries: [
    deleted("notifications", "notifications", "Your notifications", ownedBy("user_id")),
    deleted("notificationChoices", "notification_choices", "Your choice of notifications", ownedBy("user_id")),
  ],
  sections: [
    {
      key: "notifications",
      purpose: "Telling you what needs your attention",
      basis: contract,
      retention: `${NOTIFICATION_DAYS} days`,
      table: "notifications",
      onlyForSelf: sql`notifications.kind = 'chatAlert'`,
      omit: { user_id: SAME_PERSON },
      keys: ["id"],
      where: ownedBy("user_id"),
    },
    {
      key: "notificationChoices",
      purpose: "Sending only the notifications you want",
      basis: contract,
      retention: untilErased,
      table: "notification_choices",
      omit: { user_id: SAME_PERSON },
      keys: ["kind"],
      where: ownedBy("user_id"),
    },
  ],
};
