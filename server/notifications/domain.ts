import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { notificationRoutes } from "#server/notifications/routes.ts";
import { deleteOldNotifications } from "#server/notifications/service.ts";
import { NOTIFICATION_DAYS } from "#shared/notifications/notifications.ts";
import { personalData } from "#server/notifications/personalData.ts";

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
  personalData,
});
