import { expect, test } from "vitest";
import { events } from "#shared/events/events.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const maker = createEventMaker(server);
const admin = await make.admin();

test("publishing reports every missing field", async () => {
  const draft = await maker.createDraft(admin, { privacyNotice: "", venue: {}, visibility: "code" });
  const refused = await as(admin)(events.publish, { params: { id: draft.id }, body: { version: draft.version } });
  expect(refused.status).toBe(422);
  expect((refused.body as unknown as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual([
    "privacyNotice",
    "venue.name",
    "accessCode",
  ]);
});

test("a published event cannot lose a required field", async () => {
  const { id, version } = await maker.createPublished(admin);
  expect((await as(admin)(events.update, { params: { id }, body: { version, privacyNotice: "" } })).status).toBe(422);
});

test("a change based on an old version is a conflict that names the editor", async () => {
  const event = await maker.createPublished(admin);
  const stale = await as(admin)(events.update, { params: { id: event.id }, body: { version: 1, title: "Mine" } });
  expect([stale.status, stale.code]).toEqual([409, "core.conflict"]);
  expect((stale.body as unknown as { details: object }).details).toMatchObject({
    current: { title: event.title },
    changedBy: "Ada Admin",
  });
});

test("an upcoming event with guests cannot be archived, removed or unpublished", async () => {
  const event = await maker.createPublished(admin);
  expect(event).toMatchObject({ status: "published", phase: "open", publishedAt: expect.any(String) });
  const sent = { params: { id: event.id }, body: { version: event.version } };
  expect((await as(admin)(events.archive, sent)).code).toBe("events.notOver");
  expect((await as(admin)(events.remove, { params: sent.params })).code).toBe("events.notDraft");
  await maker.registerGuest(event);
  expect((await as(admin)(events.unpublish, sent)).code).toBe("events.hasRegistrations");
});

test("cancelling ends all registrations; undoing it restores none", async () => {
  const event = await maker.createPublished(admin);
  await maker.registerGuest(event);
  const cancel = async (version: number, reason: string) =>
    (await as(admin)(events.cancel, { params: { id: event.id }, body: { version, reason } })).body;
  const cancelled = await cancel(event.version, "Storm");
  expect(cancelled).toMatchObject({
    status: "cancelled",
    phase: "cancelled",
    cancelReason: "Storm",
    counts: { confirmed: 0, cancelled: 1 },
  });
  expect((await as(null)(events.show, { params: { slug: event.slug } })).body.event).toMatchObject({
    phase: "cancelled",
    cancelReason: "Storm",
  });
  const republished = (
    await as(admin)(events.publish, { params: { id: event.id }, body: { version: cancelled.version } })
  ).body;
  expect(republished).toMatchObject({
    status: "published",
    phase: "open",
    cancelReason: "",
    counts: { confirmed: 0, seatsTaken: 0 },
  });
  const { version } = await cancel(republished.version, "Again");
  expect((await as(admin)(events.archive, { params: { id: event.id }, body: { version } })).body.status).toBe(
    "archived",
  );
});
