import { defineDomain } from "#server/core/domains/domain.ts";
import { contract, deleted, ownedBy, SAME_PERSON, untilErased } from "#server/core/domains/personalData.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { notificationRoutes } from "#server/notifications/routes.ts";
import { deleteOldNotifications } from "#server/notifications/service.ts";
import { NOTIFICATION_DAYS } from "#shared/notifications/notifications.ts";

export const notifications = defineDomain({
  name: "notifications",
  routes: [notificationRoutes],
  jobs: [deleteOldNotifications],
  openTo: {
    learners: ["notifications.list", "notifications.markRead", "notifications.choices", "notifications.choose"],
  },
  tables: {
    notifications: { growth: rows(50, "admin"), kept: `${NOTIFICATION_DAYS} days` },
    notification_choices: { growth: rows(1, "admin"), kept: withAccount },
  },
  personalData: {
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
  },
});
