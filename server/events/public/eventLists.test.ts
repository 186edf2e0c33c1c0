import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { events } from "#shared/events/events.ts";
import { createEventMaker, inHours } from "#test/events.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, make } = server;
const maker = createEventMaker(server);
const admin = await make.admin();

test("filters public events by text, category, language, mode and days", async () => {
  const word = `w${randomUUID().slice(0, 8)}`;
  const event = await maker.createPublished(admin, {
    title: `Meeting ${word}`,
    category: `c-${word}`,
    language: "de",
    attendanceMode: "online",
    timezone: "Pacific/Kiritimati",
    startsLocal: "2031-05-02T01:00",
    endsLocal: "2031-05-02T02:00",
  });
  const list = async (query: object) => (await as(null)(events.list, { query: query as never })).body;
  expect((await list({ q: word })).items).toMatchObject([
    { slug: event.slug, phase: "open", startsAt: "2031-05-01T11:00:00.000Z" },
  ]);
  expect((await list({ category: `c-${word}`, language: "de", mode: "online" })).total).toBe(1);
  expect((await list({ q: word, mode: "in_person" })).total).toBe(0);
  expect((await list({})).categories).toContain(`c-${word}`);
  expect((await list({ q: word, from: "2031-05-01", to: "2031-05-02", timezone: "Europe/Berlin" })).total).toBe(1);
  expect((await list({ q: word, from: "2031-05-02", to: "2031-05-03", timezone: "Europe/Berlin" })).total).toBe(0);
  expect((await list({ q: word, when: "past" })).total).toBe(0);
  await maker.registerGuest(event);
  const admins = (await as(admin)(events.listAll, { query: { q: word, sort: "-confirmed" } })).body;
  expect(admins).toMatchObject({
    total: 1,
    byStatus: { published: 1 },
    items: [{ counts: { confirmed: 1, seatsTaken: 1 } }],
  });
});

test("a visitor can leave out cancelled events", async () => {
  const word = `c${randomUUID().slice(0, 8)}`;
  const times = (hours: number) => ({ startsLocal: inHours(hours), endsLocal: inHours(hours + 2) });
  const first = await maker.createPublished(admin, { title: `${word} first`, ...times(24) });
  await maker.createPublished(admin, { title: `${word} second`, ...times(48) });
  const body = { version: first.version, reason: "Rain" };
  expect((await as(admin)(events.cancel, { params: { id: first.id }, body })).status).toBe(200);
  const titles = async (query: object) =>
    (await as(null)(events.list, { query: { q: word, ...query } as never })).body.items.map(({ title }) => title);
  expect(await titles({})).toEqual([`${word} first`, `${word} second`]);
  expect(await titles({ takesPlace: "true" })).toEqual([`${word} second`]);
});

test("lists upcoming events soonest first, then past ones latest first", async () => {
  const word = `o${randomUUID().slice(0, 8)}`;
  for (const hours of [-48, 48, -24, 24, -1])
    await maker.createDraft(admin, {
      title: `${word} ${hours}`,
      startsLocal: inHours(hours),
      endsLocal: inHours(hours + 2),
    });
  const { items } = (await as(admin)(events.listAll, { query: { q: word } })).body;
  expect(items.map(({ title }) => title.split(" ")[1])).toEqual(["-1", "24", "48", "-24", "-48"]);
});
