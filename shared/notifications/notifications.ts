import { z } from "zod";
import { defineContracts, get, listQuery, page, post, put } from "#shared/core/route.ts";
import { isSignedIn } from "#shared/core/users.ts";

// Notifications for one person. Their texts are `notifications.kinds.*`, with the values of `params`.

/**
 * All kinds, and whether they appear in the app and are sent by email by default. All current kinds are for admins.
 * Those about people are sent once a day, with the number of people on the day before (`server/reports/digests/`).
 */
export const notificationKinds = {
  webhookOff: { isShown: true, isMailed: true },
  budgetReached: { isShown: true, isMailed: true },
  documentFailed: { isShown: true, isMailed: false },
  connectorFailing: { isShown: true, isMailed: true },
  chatAlert: { isShown: true, isMailed: true },
  analysisFinished: { isShown: true, isMailed: false },
  questionAssigned: { isShown: true, isMailed: true },
  questionAskedAgain: { isShown: true, isMailed: false },
  feedbackDisputed: { isShown: true, isMailed: true },
  peopleJoined: { isShown: false, isMailed: false },
  coursesCompleted: { isShown: false, isMailed: false },
  peopleOverdue: { isShown: true, isMailed: false },
  importFailed: { isShown: true, isMailed: false },
  commentMention: { isShown: true, isMailed: true },
  commentAnswer: { isShown: true, isMailed: true },
  suspensionsHeld: { isShown: true, isMailed: true },
  unclearMarked: { isShown: true, isMailed: false },
  catalogueRequests: { isShown: true, isMailed: true },
} as const;
export const notificationKind = z.enum(
  Object.keys(notificationKinds) as [keyof typeof notificationKinds, ...(keyof typeof notificationKinds)[]],
);
export type NotificationKind = z.infer<typeof notificationKind>;

/** Notifications are deleted after this many days. */
export const NOTIFICATION_DAYS = 90;

export const notification = z.object({
  id: z.uuid(),
  kind: notificationKind,
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  link: z.string(),
  createdAt: z.string(),
  readAt: z.string().nullable(),
});
export type Notification = z.infer<typeof notification>;

export const notificationChoice = z.object({
  kind: notificationKind,
  isShown: z.boolean(),
  isMailed: z.boolean(),
});
export type NotificationChoice = z.infer<typeof notificationChoice>;

export const canReadNotifications = isSignedIn;

export const notifications = defineContracts("notifications", {
  list: get("/api/notifications", {
    does: "List one's own notifications, newest first",
    query: listQuery.omit({ q: true, sort: true }),
    reply: page(notification).extend({ unread: z.int() }),
  }),
  markRead: post("/api/notifications/read", {
    does: "Mark one's own notifications as read: those given, or all up to now",
    body: z.object({ ids: z.array(z.uuid()).min(1).max(200).optional() }),
    reply: z.object({ changed: z.int() }),
  }),
  choices: get("/api/notification-choices", {
    does: "List the kinds of notification that one can receive, with one's choices",
    reply: z.object({ items: z.array(notificationChoice) }),
  }),
  choose: put("/api/notification-choices", {
    does: "Choose where a kind of notification appears",
    body: notificationChoice,
    reply: notificationChoice,
  }),
});
