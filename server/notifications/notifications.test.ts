import { expect, test } from "vitest";
import { inTransaction } from "#server/core/database/db.ts";
import { notify } from "#server/notifications/notify.ts";
import { deleteOldNotifications } from "#server/notifications/service.ts";
import { mails } from "#shared/mails/mails.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { start } from "#test/start.ts";

const { as, make, db, services } = await start();

const budget = (key: string, to: string[] | "admins" = "admins") =>
  inTransaction(db, (tx) =>
    notify(services, tx, {
      to,
      kind: "budgetReached",
      params: { name: "<b>Team</b> budget", percent: 80, spent: "€ 8.00", budget: "€ 10.00" },
      link: "/admin/connectors",
      key,
    }),
  );

test("notifies each admin once, in the bar and by email", async () => {
  const [ada, eve] = [await make.admin(), await make.admin()];
  await budget("once");
  await budget("once");
  for (const admin of [ada, eve]) {
    const { body } = await as(admin)(notifications.list);
    expect(body).toMatchObject({ total: 1, unread: 1 });
    expect(body.items[0]).toMatchObject({ kind: "budgetReached", link: "/admin/connectors", readAt: null });
  }
  const sent = (await as(ada)(mails.list, { query: { q: ada.user.email } })).body.items;
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ subject: "80 % of the budget “<b>Team</b> budget” is spent" });
  expect(sent[0]?.body).toContain("/admin/connectors");
});

test("marks only one's own notifications as read", async () => {
  const [ada, eve] = [await make.admin(), await make.admin()];
  await budget("mine", [ada.user.id]);
  await budget("hers", [eve.user.id]);
  const hers = (await as(eve)(notifications.list)).body.items[0];
  const ids = [hers?.id as string];
  expect((await as(ada)(notifications.markRead, { body: { ids } })).body).toEqual({ changed: 0 });
  expect((await as(ada)(notifications.markRead, { body: {} })).body).toEqual({ changed: 1 });
  expect((await as(ada)(notifications.list)).body).toMatchObject({ unread: 0, total: 1 });
  expect((await as(eve)(notifications.list)).body).toMatchObject({ unread: 1 });
});

test("follows the choice of a person", async () => {
  const ada = await make.admin();
  const choice = { kind: "budgetReached", isShown: false, isMailed: false } as const;
  expect((await as(ada)(notifications.choices)).body.items).toContainEqual({
    ...choice,
    isShown: true,
    isMailed: true,
  });
  await as(ada)(notifications.choose, { body: choice });
  expect((await as(ada)(notifications.choices)).body.items).toContainEqual(choice);
  await budget("unwanted", [ada.user.id]);
  expect((await as(ada)(notifications.list)).body).toMatchObject({ total: 0, unread: 0 });
  expect((await as(ada)(mails.list, { query: { q: ada.user.email } })).body.total).toBe(0);
});

test("learners receive no notifications for admins", async () => {
  const { learner } = await make.classroom();
  await budget("for-admins");
  expect((await as(learner)(notifications.list)).body.total).toBe(0);
  expect((await as(learner)(notifications.choices)).body.items).toEqual([]);
});

test("deletes notifications after 90 days", async () => {
  const ada = await make.admin();
  await budget("old", [ada.user.id]);
  await db
    .updateTable("notifications")
    .set({ createdAt: new Date(Date.now() - 91 * 86_400_000).toISOString() })
    .where("key", "=", "old")
    .execute();
  await deleteOldNotifications.work(services, {});
  expect((await as(ada)(notifications.list)).body.total).toBe(0);
});
