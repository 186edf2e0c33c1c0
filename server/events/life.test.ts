import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { audit } from "#shared/audit.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { eventPhase, type Seats } from "#shared/eventStates.ts";
import { events } from "#shared/events.ts";
import { multipart } from "#test/client.ts";
import { OBJECTS_PATH } from "#shared/files.ts";
import { start } from "#test/start.ts";
import { createEventMaker, draftOf, inHours } from "#test/events.ts";

const tools = await start();
const { app, as, make, db } = tools;
const maker = createEventMaker(tools);
const admin = await make.admin();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("phase", () => {
  const now = new Date("2026-06-10T12:00:00Z");
  const base = {
    status: "published" as const,
    cancelledAt: null,
    startsAt: "2026-06-12T08:00:00Z",
    endsAt: "2026-06-12T10:00:00Z",
    attendanceMode: "in_person" as const,
    registrationMode: "open" as const,
    registrationOpensAt: null,
    registrationClosesAt: null,
    capacity: 10,
    capacityOnline: null,
    waitlistEnabled: true,
  };
  const none: Seats = { taken: 0, takenOnline: 0, waiting: 0, waitingOnline: 0 };
  test.each([
    ["open", {}, {}],
    ["open", { capacity: null }, { taken: 5000 }],
    ["waitlist_open", {}, { taken: 10 }],
    ["waitlist_open", { capacity: 5 }, { taken: 10 }],
    ["waitlist_open", {}, { taken: 8, waiting: 1 }],
    ["full", { waitlistEnabled: false }, { taken: 10 }],
    ["open", { attendanceMode: "hybrid" }, { taken: 10 }],
    ["waitlist_open", { attendanceMode: "hybrid", capacityOnline: 3 }, { taken: 10, takenOnline: 3 }],
    ["full", { attendanceMode: "hybrid", capacityOnline: 3, waitlistEnabled: false }, { taken: 10, takenOnline: 3 }],
    ["open", { attendanceMode: "online", capacityOnline: 0 }, {}],
    ["registration_closed", { registrationClosesAt: "2026-06-10T12:00:00Z" }, {}],
    ["open", { registrationClosesAt: "2026-06-10T12:00:01Z" }, {}],
    ["not_open_yet", { registrationOpensAt: "2026-06-10T12:00:01Z", registrationClosesAt: "2026-06-09T12:00:00Z" }, {}],
    ["closed", { registrationMode: "closed", registrationOpensAt: "2026-06-11T12:00:00Z" }, {}],
    ["open", { registrationMode: "external" }, { taken: 99 }],
    ["ongoing", { startsAt: "2026-06-10T12:00:00Z", registrationMode: "closed" }, {}],
    ["ended", { startsAt: "2026-06-10T10:00:00Z", endsAt: "2026-06-10T12:00:00Z" }, {}],
    ["cancelled", { status: "cancelled", cancelledAt: "2026-06-01T00:00:00Z", endsAt: "2026-06-02T12:00:00Z" }, {}],
    ["cancelled", { status: "archived", cancelledAt: "2026-06-01T00:00:00Z", endsAt: "2026-06-02T12:00:00Z" }, {}],
  ] as const)("%s: %j %j", (phase, event, seats) => {
    expect(eventPhase({ ...base, ...event }, { ...none, ...seats }, now)).toBe(phase);
  });
});

test("a draft gets the id that was wished for, and another one when that is taken", async () => {
  const id = randomUUID();
  const [one, two] = [await maker.draft(admin, { id }), await maker.draft(admin, { id })];
  expect(one.id).toBe(id);
  expect(two.id).not.toBe(id);
  expect(
    (await as(null)(events.list, { query: { q: (await maker.publish(admin, one)).title } })).body.items[0],
  ).toMatchObject({ id, registrationMode: "open" });
});

test("an address is made from the title, once; another one is refused by name; old ones lead on and are never given away", async () => {
  const title = `Größe & Öl ${randomUUID().slice(0, 6)}`;
  const [one, two] = [await maker.draft(admin, { title }), await maker.draft(admin, { title })];
  expect(one.slug).toMatch(/^groesse-oel-[0-9a-f]{6}$/);
  expect(two.slug).toBe(`${one.slug}-2`);
  const taken = await as(admin)(events.update, {
    params: { id: two.id },
    body: { version: two.version, slug: one.slug },
  });
  expect([taken.status, taken.body]).toMatchObject([422, { issues: [{ path: "slug", code: "events.slugTaken" }] }]);
  expect((await as(admin)(events.create, { body: draftOf({ slug: "registration" }) })).status).toBe(422);
  const live = await maker.publish(admin, one);
  expect((await as(admin)(audit.list)).body.items.slice(0, 2).map(({ action, details }) => [action, details])).toEqual([
    ["events.status", { event: title, status: "published" }],
    ["events.create", { event: title }],
  ]);
  const moved = (
    await as(admin)(events.update, {
      params: { id: live.id },
      body: { version: live.version, slug: `${one.slug}-new` },
    })
  ).body;
  expect((await as(null)(events.show, { params: { slug: one.slug } })).body).toEqual({
    event: null,
    movedTo: moved.slug,
  });
  const page = await app.inject({ url: `/events/${one.slug}/register?x=1`, headers: { host: "localhost" } });
  expect([page.statusCode, page.headers.location]).toEqual([301, `/events/${moved.slug}/register`]);
  expect((await as(admin)(events.create, { body: draftOf({ slug: one.slug }) })).body).toMatchObject({
    issues: [{ path: "slug" }],
  });
  expect((await maker.draft(admin, { title: "Вебинар о безопасности: ÆRØ" })).slug).toBe("vebinar-o-bezopasnosti-aero");
  expect((await maker.draft(admin, { title: "日本語" })).slug).toMatch(/^event(-\d+)?$/);
  // Back to its own old address is fine; a deleted draft keeps its address.
  expect(
    (await as(admin)(events.update, { params: { id: moved.id }, body: { version: moved.version, slug: one.slug } }))
      .body.slug,
  ).toBe(one.slug);
  expect((await as(admin)(events.remove, { params: { id: two.id } })).status).toBe(204);
  expect((await as(admin)(events.create, { body: draftOf({ slug: two.slug }) })).status).toBe(422);
});

test("times: a zone by any name, a time that does not exist, one that comes twice, ends and dates in the wrong order", async () => {
  const at = (startsLocal: string, endsLocal: string, timezone: string, more: object = {}) =>
    as(admin)(events.create, { body: draftOf({ startsLocal, endsLocal, timezone, ...more }) });
  expect((await at("2030-06-01T10:00", "2030-06-01T12:00", "Asia/Saigon")).body).toMatchObject({
    startsAt: "2030-06-01T03:00:00.000Z",
    timezone: "Asia/Saigon",
    timeNotes: [],
  });
  expect((await at("2030-06-01T10:00", "2030-06-01T12:00", "US/Pacific")).body.startsAt).toBe(
    "2030-06-01T17:00:00.000Z",
  );
  expect((await at("2030-06-01T10:00", "2030-06-01T12:00", "Mars/Olympus")).body).toMatchObject({
    issues: [{ path: "timezone", code: "events.badZone" }],
  });
  const gap = await at("2030-03-31T02:30", "2030-03-31T05:00", "Europe/Berlin");
  expect([gap.status, gap.body]).toMatchObject([
    422,
    {
      issues: [
        { path: "startsLocal", code: "events.noSuchTime", message: expect.stringContaining("2030-03-31 03:30") },
      ],
    },
  ]);
  const twice = (await at("2030-10-27T02:30", "2030-10-27T03:30", "Europe/Berlin")).body;
  expect(twice).toMatchObject({
    startsAt: "2030-10-27T00:30:00.000Z",
    endsAt: "2030-10-27T02:30:00.000Z",
    timeNotes: [{ path: "startsLocal", code: "events.twiceTime" }],
  });
  expect((await at("2030-02-30T10:00", "2030-03-01T12:00", "UTC")).body).toMatchObject({
    issues: [{ path: "startsLocal", code: "events.badTime" }],
  });
  expect((await at("2030-06-01T10:00", "2030-06-01T10:00", "UTC")).body).toMatchObject({
    issues: [{ path: "endsLocal", code: "events.endsBeforeStart" }],
  });
  expect(
    (await at("2030-06-01T10:00", "2030-06-01T12:00", "UTC", { registrationClosesLocal: "2030-06-01T10:01" })).body,
  ).toMatchObject({ issues: [{ path: "registrationClosesLocal" }] });
  expect(
    (
      await at("2030-06-01T10:00", "2030-06-01T12:00", "UTC", {
        registrationOpensLocal: "2030-05-01T10:00",
        registrationClosesLocal: "2030-04-01T10:00",
      })
    ).body,
  ).toMatchObject({ issues: [{ path: "registrationOpensLocal" }] });
});

test("publishing names every missing thing; then the states go their way and nowhere else", async () => {
  const draft = await maker.draft(admin, { privacyNotice: "", venue: {}, visibility: "code" });
  const refused = await as(admin)(events.publish, { params: { id: draft.id }, body: { version: draft.version } });
  expect(refused.status).toBe(422);
  expect((refused.body as unknown as { issues: { path: string }[] }).issues.map(({ path }) => path)).toEqual([
    "privacyNotice",
    "venue.name",
    "accessCode",
  ]);
  const live = await maker.published(admin);
  expect(live).toMatchObject({ status: "published", phase: "open", publishedAt: expect.any(String) });
  const stale = await as(admin)(events.update, { params: { id: live.id }, body: { version: 1, title: "Mine" } });
  expect([stale.status, stale.code]).toEqual([409, "core.conflict"]);
  expect((stale.body as unknown as { details: object }).details).toMatchObject({
    current: { title: live.title },
    changedBy: "Ada Admin",
  });
  expect(
    (await as(admin)(events.update, { params: { id: live.id }, body: { version: live.version, privacyNotice: "" } }))
      .status,
  ).toBe(422);
  expect((await as(admin)(events.archive, { params: { id: live.id }, body: { version: live.version } })).code).toBe(
    "events.notOver",
  );
  expect((await as(admin)(events.remove, { params: { id: live.id } })).code).toBe("events.notDraft");
  await maker.guest(live);
  expect((await as(admin)(events.unpublish, { params: { id: live.id }, body: { version: live.version } })).code).toBe(
    "events.hasRegistrations",
  );
  const off = (
    await as(admin)(events.cancel, { params: { id: live.id }, body: { version: live.version, reason: "Storm" } })
  ).body;
  expect(off).toMatchObject({
    status: "cancelled",
    phase: "cancelled",
    cancelReason: "Storm",
    counts: { confirmed: 0, cancelled: 1 },
  });
  expect((await as(null)(events.show, { params: { slug: live.slug } })).body.event).toMatchObject({
    phase: "cancelled",
    cancelReason: "Storm",
  });
  const back = (await as(admin)(events.publish, { params: { id: live.id }, body: { version: off.version } })).body;
  expect(back).toMatchObject({
    status: "published",
    phase: "open",
    cancelReason: "",
    counts: { confirmed: 0, seatsTaken: 0 },
  });
  const gone = (
    await as(admin)(events.cancel, { params: { id: live.id }, body: { version: back.version, reason: "Again" } })
  ).body;
  expect(
    (await as(admin)(events.archive, { params: { id: live.id }, body: { version: gone.version } })).body.status,
  ).toBe("archived");
});

test("questions: labels of old answers stay, a changed form comes back with what was entered, wrong forms are refused by name", async () => {
  const [diet, wine] = [randomUUID(), randomUUID()];
  const question = (id: string, label: string, more: object = {}) => ({
    id,
    label,
    kind: "choice" as const,
    options: ["A", "B"],
    ...more,
  });
  const live = await maker.published(admin, {
    questions: [
      question(diet, "Diet"),
      question(wine, "Wine", { showIf: { questionId: diet, equals: "A" }, required: true }),
    ],
  });
  const form = { ...maker.form(live), answers: { [diet]: "A" } };
  const missing = await as(null)(eventRegistrations.register, { params: { slug: live.slug }, body: form });
  expect([missing.status, missing.body]).toMatchObject([
    422,
    { issues: [{ path: `answers.${wine}`, code: "events.answerNeeded" }] },
  ]);
  expect(
    (
      await as(null)(eventRegistrations.register, {
        params: { slug: live.slug },
        body: { ...form, answers: { [diet]: "C" } },
      })
    ).status,
  ).toBe(422);
  const guest = await maker.guest(live, { answers: { [diet]: "B", [wine]: "A" } });
  expect((await as(null)(eventRegistrations.mine, { params: { token: guest.token } })).body.answers).toEqual({
    [diet]: "B",
  });
  const changed = (
    await as(admin)(events.update, {
      params: { id: live.id },
      body: { version: live.version, questions: [question(wine, "Beverage")] },
    })
  ).body;
  expect(changed.questionVersion).toBe(2);
  const late = await as(null)(eventRegistrations.register, {
    params: { slug: live.slug },
    body: { ...form, answers: { [diet]: "B" } },
  });
  expect([late.status, late.code, (late.body as unknown as { details: object }).details]).toMatchObject([
    409,
    "events.formChanged",
    { questionVersion: 2, questions: [{ label: "Beverage" }] },
  ]);
  const list = (await as(admin)(eventRegistrations.list, { params: { id: live.id } })).body;
  expect(list.questions.map(({ label }) => label)).toEqual(["Beverage", "Diet"]);
  expect(
    (await as(null)(eventRegistrations.mine, { params: { token: guest.token } })).body.questions.map(
      ({ label }) => label,
    ),
  ).toEqual(["Diet", "Wine"]);
  const broken = await as(admin)(events.create, {
    body: draftOf({ questions: [question(diet, "Diet", { options: ["A"] })] }),
  });
  expect(broken.body).toMatchObject({ issues: [{ path: "questions.0.options" }] });
  const circle = await as(admin)(events.create, {
    body: draftOf({
      questions: [question(diet, "Diet", { showIf: { questionId: wine, equals: "A" } }), question(wine, "Wine")],
    }),
  });
  expect(circle.body).toMatchObject({ issues: [{ path: "questions.0.showIf" }] });
});

test("a copy takes what was chosen, as long as the first, with its agenda moved", async () => {
  const speaker = { id: randomUUID(), name: "Sam Speaker", role: "", bio: "" };
  const live = await maker.published(admin, {
    timezone: "Europe/Berlin",
    startsLocal: "2030-03-29T10:00",
    endsLocal: "2030-03-29T12:30",
    capacity: 7,
    description: "Long",
    speakers: [speaker],
    agenda: [{ id: randomUUID(), title: "Talk", startsAt: "2030-03-29T10:30", speakerIds: [speaker.id, randomUUID()] }],
  });
  expect(live.agenda[0]?.speakerIds).toEqual([speaker.id]);
  const copy = (
    await as(admin)(events.duplicate, {
      params: { id: live.id },
      body: { title: "Again", startsLocal: "2030-03-30T20:00", with: ["agenda", "seats"] },
    })
  ).body;
  expect(copy).toMatchObject({
    status: "draft",
    title: "Again",
    endsLocal: "2030-03-30T22:30",
    capacity: 7,
    description: "",
    speakers: [],
    privacyNotice: "",
    agenda: [{ startsAt: "2030-03-30T20:30", speakerIds: [] }],
    counts: { confirmed: 0 },
  });
});

test("a cover is a stored picture that rests while it is shown", async () => {
  const path = `events/${randomUUID()}/cover.png`;
  const put = async (purpose: string, name: string) => {
    const { headers, body } = multipart({ contentType: "image/png", metadata: { purpose } }, PNG);
    return app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(name)}`,
      headers: { ...headers, authorization: `Bearer ${admin.token}` },
      payload: body,
    });
  };
  expect((await put("event_cover", path)).statusCode).toBe(200);
  expect((await as(admin)(events.create, { body: draftOf({ cover: "nothing/there.png" }) })).body).toMatchObject({
    issues: [{ path: "cover", code: "events.badCover" }],
  });
  const live = await maker.published(admin, { cover: path });
  const { event } = (await as(null)(events.show, { params: { slug: live.slug } })).body;
  const picture = await app.inject(event?.coverUrl as string);
  expect([picture.statusCode, picture.headers["content-type"], picture.rawPayload.equals(PNG)]).toEqual([
    200,
    "image/png",
    true,
  ]);
  const file = () => db.selectFrom("files").where("fullPath", "=", path).select("inUse").executeTakeFirstOrThrow();
  expect((await file()).inUse).toBe(true);
  const copy = (
    await as(admin)(events.duplicate, {
      params: { id: live.id },
      body: { title: "Copy", startsLocal: inHours(100), with: ["cover"] },
    })
  ).body;
  await as(admin)(events.update, { params: { id: live.id }, body: { version: live.version, cover: null } });
  expect((await file()).inUse).toBe(true);
  await as(admin)(events.remove, { params: { id: copy.id } });
  expect((await file()).inUse).toBe(false);
});

test("lists: search, filters, days of the visitor, and numbers for organisers", async () => {
  const word = `w${randomUUID().slice(0, 8)}`;
  const mine = await maker.published(admin, {
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
    { slug: mine.slug, phase: "open", startsAt: "2031-05-01T11:00:00.000Z" },
  ]);
  expect((await list({ category: `c-${word}`, language: "de", mode: "online" })).total).toBe(1);
  expect((await list({ q: word, mode: "in_person" })).total).toBe(0);
  expect((await list({})).categories).toContain(`c-${word}`);
  expect((await list({ q: word, from: "2031-05-01", to: "2031-05-02", timezone: "Europe/Berlin" })).total).toBe(1);
  expect((await list({ q: word, from: "2031-05-02", to: "2031-05-03", timezone: "Europe/Berlin" })).total).toBe(0);
  expect((await list({ q: word, when: "past" })).total).toBe(0);
  await maker.guest(mine);
  const admins = (await as(admin)(events.listAll, { query: { q: word, sort: "-confirmed" } })).body;
  expect(admins).toMatchObject({
    total: 1,
    byStatus: { published: 1 },
    items: [{ counts: { confirmed: 1, seatsTaken: 1 } }],
  });
});

test("organisers see the next event first, then what follows, then what is over, the latest first", async () => {
  const word = `o${randomUUID().slice(0, 8)}`;
  for (const hours of [-48, 48, -24, 24, -1])
    await maker.draft(admin, { title: `${word} ${hours}`, startsLocal: inHours(hours), endsLocal: inHours(hours + 2) });
  const { items } = (await as(admin)(events.listAll, { query: { q: word } })).body;
  expect(items.map(({ title }) => title.split(" ")[1])).toEqual(["-1", "24", "48", "-24", "-48"]);
});
