import type { Mount } from "#server/core/http/http.ts";
import { chooseNotification, listChoices, listNotifications, markRead } from "#server/notifications/service.ts";
import { canReadNotifications, notifications } from "#shared/notifications/notifications.ts";

export function notificationRoutes(on: Mount) {
  on(notifications.list, canReadNotifications, (call) => listNotifications(call, call.query));
  on(notifications.markRead, canReadNotifications, (call) => markRead(call, call.body));
  on(notifications.choices, canReadNotifications, (call) => listChoices(call));
  on(notifications.choose, canReadNotifications, (call) => chooseNotification(call, call.body));
}
