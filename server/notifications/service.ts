import { sql } from "kysely";
import { z } from "zod";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { job } from "#server/core/jobs.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import {
  NOTIFICATION_DAYS,
  type NotificationChoice,
  type NotificationKind,
  notificationKind,
  notificationKinds,
  type notifications,
} from "#shared/notifications/notifications.ts";
import { isAdmin, type User } from "#shared/core/users.ts";

/** The notifications of the user, newest first, without those that are only mailed. */
export async function listNotifications({ db, user }: Ctx<User>, { page, size }: QueryOf<typeof notifications.list>) {
  const rows = db.selectFrom("notifications").where("userId", "=", user.id).where("isShown", "=", true);
  const { total, unread } = await rows
    .select((e) => [
      e.fn.countAll<number>().as("total"),
      sql<number>`count(*) filter (where read_at is null)`.as("unread"),
    ])
    .executeTakeFirstOrThrow();
  const items = await rows
    .select(["id", "kind", "params", "link", "createdAt", "readAt"])
    .orderBy("createdAt", "desc")
    .orderBy("id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total, unread };
}

export async function markRead({ db, user }: Ctx<User>, { ids }: BodyOf<typeof notifications.markRead>) {
  let update = db
    .updateTable("notifications")
    .set({ readAt: sql`now()` })
    .where("userId", "=", user.id)
    .where("readAt", "is", null);
  if (ids) update = update.where(isOneOf("id", ids));
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow();
  return { changed: Number(numUpdatedRows) };
}

/** The kinds that a person can receive, with their choices. */
export async function listChoices({ db, user }: Ctx<User>): Promise<{ items: NotificationChoice[] }> {
  if (!isAdmin(user)) return { items: [] };
  const stored = await db
    .selectFrom("notificationChoices")
    .where("userId", "=", user.id)
    .select(["kind", "isShown", "isMailed"])
    .execute();
  const chosen = new Map(stored.map((choice) => [choice.kind, choice]));
  const defaultOf = (kind: NotificationKind) => ({ kind, ...notificationKinds[kind] });
  return { items: notificationKind.options.map((kind) => chosen.get(kind) ?? defaultOf(kind)) };
}

export async function chooseNotification({ db, user }: Ctx<User>, choice: NotificationChoice) {
  const { kind, ...where } = choice;
  await db
    .insertInto("notificationChoices")
    .values({ userId: user.id, kind, ...where })
    .onConflict((conflict) => conflict.columns(["userId", "kind"]).doUpdateSet(where))
    .execute();
  return choice;
}

export const deleteOldNotifications = job(
  "notifications:deleteOld",
  z.object({}),
  async ({ db }) => {
    await db
      .deleteFrom("notifications")
      .where("createdAt", "<", sql<string>`now() - make_interval(days => ${NOTIFICATION_DAYS})`)
      .execute();
  },
  "20 3 * * *",
);
