import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { events } from "#shared/events/events.ts";
import { createEventMaker, draftInput } from "#test/events.ts";
import { start } from "#test/start.ts";
import { audit } from "#shared/audit/audit.ts";

const server = await start();
const { app, as, make } = server;
const maker = createEventMaker(server);
const admin = await make.admin();

test("uses the requested id of a draft unless it is taken", async () => {
  const id = randomUUID();
  const [first, second] = [await maker.createDraft(admin, { id }), await maker.createDraft(admin, { id })];
  expect(first.id).toBe(id);
  expect(second.id).not.toBe(id);
  expect(
    (await as(null)(events.list, { query: { q: (await maker.publish(admin, first)).title } })).body.items[0],
  ).toMatchObject({ id, registrationMode: "open" });
});

test("makes a slug from the title and numbers duplicates", async () => {
  const title = `Größe & Öl ${randomUUID().slice(0, 6)}`;
  const [first, second] = [await maker.createDraft(admin, { title }), await maker.createDraft(admin, { title })];
  expect(first.slug).toMatch(/^groesse-oel-[0-9a-f]{6}$/);
  expect(second.slug).toBe(`${first.slug}-2`);
  const slugOf = async (name: string) => (await maker.createDraft(admin, { title: name })).slug;
  expect(await slugOf("Вебинар о безопасности: ÆRØ")).toBe("vebinar-o-bezopasnosti-aero");
  expect(await slugOf("日本語")).toMatch(/^event(-\d+)?$/);
});

test("refuses slugs that are reserved or belong to another event", async () => {
  const [first, second] = [await maker.createDraft(admin), await maker.createDraft(admin)];
  const refused = await as(admin)(events.update, {
    params: { id: second.id },
    body: { version: second.version, slug: first.slug },
  });
  expect([refused.status, refused.body]).toMatchObject([422, { issues: [{ path: "slug", code: "events.slugTaken" }] }]);
  expect((await as(admin)(events.create, { body: draftInput({ slug: "registration" }) })).status).toBe(422);
});

test("redirects former slugs and never gives them to another event", async () => {
  const event = await maker.createPublished(admin);
  const moved = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: event.version, slug: `${event.slug}-new` },
    })
  ).body;
  expect((await as(null)(events.show, { params: { slug: event.slug } })).body).toEqual({
    event: null,
    movedTo: moved.slug,
  });
  const page = await app.inject({ url: `/events/${event.slug}/register?x=1`, headers: { host: "localhost" } });
  expect([page.statusCode, page.headers.location]).toEqual([301, `/events/${moved.slug}/register`]);
  expect((await as(admin)(events.create, { body: draftInput({ slug: event.slug }) })).body).toMatchObject({
    issues: [{ path: "slug" }],
  });
  const movedBack = await as(admin)(events.update, {
    params: { id: moved.id },
    body: { version: moved.version, slug: event.slug },
  });
  expect(movedBack.body.slug).toBe(event.slug);
});

test("keeps the slug of a deleted draft reserved", async () => {
  const draft = await maker.createDraft(admin);
  expect((await as(admin)(events.remove, { params: { id: draft.id } })).status).toBe(204);
  expect((await as(admin)(events.create, { body: draftInput({ slug: draft.slug }) })).status).toBe(422);
});

test("audits creation and publication by title", async () => {
  const draft = await maker.createDraft(admin);
  await maker.publish(admin, draft);
  expect((await as(admin)(audit.list)).body.items.slice(0, 2).map(({ action, details }) => [action, details])).toEqual([
    ["events.status", { event: draft.title, status: "published" }],
    ["events.create", { event: draft.title }],
  ]);
});
