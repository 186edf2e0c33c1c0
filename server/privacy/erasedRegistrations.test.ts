import { expect, test } from "vitest";
import { privacy } from "#shared/privacy/privacy.ts";
import { startErasureServer } from "#test/erasureFixture.ts";
import { createEventMaker } from "#test/events.ts";

const { app, as, make, db, services, findInTables } = await startErasureServer();

test("erases event registrations of the account and its verified address", async () => {
  const { admin, learner } = await make.classroom();
  const maker = createEventMaker({ app, as, db, services } as never);
  const event = await maker.createPublished(admin, { capacity: 1 });
  await maker.sendForm(event.slug, maker.form(event, { email: learner.user.email, name: "Lea Learner" }));
  const next = maker.form(event);
  await maker.sendForm(event.slug, next);
  expect([(await maker.rowOf(learner.user.email)).state, (await maker.rowOf(next.email)).state]).toEqual([
    "confirmed",
    "waitlisted",
  ]);
  const preview = async () =>
    (await as(admin)(privacy.preview, { query: { userId: learner.user.id } })).body.holdings.find(
      ({ key }) => key === "guest",
    )?.rows ?? 0;
  expect(await preview()).toBe(0);
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", learner.user.id).execute();
  expect(await preview()).toBe(1);
  const { body } = await as(admin)(privacy.erase, { body: { userId: learner.user.id } });
  expect(body.holdings.find(({ key }) => key === "guest")?.rows).toBe(1);
  expect((await maker.rowOf(next.email)).state).toBe("offered");
  expect(await findInTables([learner.user.email, learner.user.id])).toEqual([]);
});
