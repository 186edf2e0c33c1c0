import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AdminEvent } from "#shared/events/eventViews.ts";
import { CALENDAR_PATH, eventCalendarPath, events } from "#shared/events/events.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { multipart } from "#test/client.ts";
import { createEventMaker } from "#test/events.ts";
import { type Person, start } from "#test/start.ts";

const tools = await start();
const { app, as, make } = tools;
const maker = createEventMaker(tools);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const { admin, learner: insider, company } = await make.classroom();
const { learner: outsider } = await make.classroom();
const CODE = "Open Sesame";
const SECRET = "https://meet.example/the-secret-room";

async function uploadPicture() {
  const path = `events/${randomUUID()}/cover.png`;
  const { headers, body } = multipart({ contentType: "image/png", metadata: { purpose: "event_cover" } }, PNG);
  await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
    payload: body,
  });
  return path;
}
async function createHidden(kind: "unlisted" | "company" | "code" | "draft"): Promise<AdminEvent> {
  const word = `hidden${randomUUID().slice(0, 8)}`;
  const path = await uploadPicture();
  const input = {
    title: `The ${word}`,
    summary: `About ${word}`,
    category: `cat-${word}`,
    cover: path,
    speakers: [{ id: randomUUID(), name: "Sam", role: "", bio: "", photo: path }],
    onlineUrl: SECRET,
    attendanceMode: "online" as const,
    language: "sv",
    ...(kind !== "draft" && { visibility: kind }),
    ...(kind === "company" && { companyId: company.id }),
    ...(kind === "code" && { accessCode: CODE }),
    challenge: "pow" as const,
  };
  return kind === "draft" ? maker.createDraft(admin, input) : maker.createPublished(admin, input);
}
const uniqueWordOf = (event: AdminEvent) => event.title.slice(4);
/** Requests every route of an event slug, from a random network. */
async function requestAll(slug: string, who: Person | null, query = "") {
  const headers = who ? { authorization: `Bearer ${who.token}` } : {};
  const remoteAddress = `10.1.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`;
  const get = (url: string) =>
    app.inject({ url: url + query, headers: { host: "localhost", ...headers }, remoteAddress });
  const post = (url: string, payload: object) => app.inject({ method: "POST", url, payload, headers, remoteAddress });
  const speaker = randomUUID();
  return {
    show: await get(`/api/events/${slug}`),
    challenge: await get(`/api/events/${slug}/challenge`),
    cover: await get(`/api/events/${slug}/cover`),
    photo: await get(`/api/events/${slug}/photos/${speaker}`),
    calendar: await get(eventCalendarPath(slug)),
    register: await post(`/api/events/${slug}/registrations`, maker.form({ questionVersion: 1 })),
    link: await post(`/api/events/${slug}/link`, { email: "a@example.com" }),
    wrongForm: await post(`/api/events/${slug}/registrations`, {}),
    page: await get(`/events/${slug}`),
    registerPage: await get(`/events/${slug}/register`),
    successPage: await get(`/events/${slug}/success`),
  };
}
const shape = (replies: Awaited<ReturnType<typeof requestAll>>, slug: string) =>
  Object.fromEntries(
    Object.entries(replies).map(([name, { statusCode, body, headers }]) => {
      const { date: _, "x-request-id": __, ...rest } = headers;
      return [
        name,
        {
          statusCode,
          body: body.replaceAll(slug, "SLUG").replace(/guest-[\w-]+@/g, ""),
          headers: JSON.stringify(rest),
        },
      ];
    }),
  );

describe.each(["draft", "company", "code"] as const)("restricted event: %s", (kind) => {
  test("replies like a non-existent event on every route", async () => {
    const event = await createHidden(kind);
    const nothing = `no-such-${randomUUID()}`;
    for (const who of [null, outsider, ...(kind === "company" ? [] : [insider])]) {
      for (const query of ["", "?code=wrong", "?grant=1.abc"])
        expect(shape(await requestAll(event.slug, who, query), event.slug)).toEqual(
          shape(await requestAll(nothing, who, query), nothing),
        );
    }
    // Nor does a former slug.
    const moved = (
      await as(admin)(events.update, {
        params: { id: event.id },
        body: { version: event.version, slug: `moved-${event.slug}` },
      })
    ).body;
    expect(shape(await requestAll(event.slug, outsider), event.slug)).toEqual(
      shape(await requestAll(nothing, outsider), nothing),
    );
    expect((await as(admin)(events.show, { params: { slug: event.slug } })).body.movedTo).toBe(moved.slug);
  });
});

test("lists, searches, sitemap and feed contain no hidden events", async () => {
  const all = [
    await createHidden("unlisted"),
    await createHidden("company"),
    await createHidden("code"),
    await createHidden("draft"),
  ];
  const shown = await maker.createPublished(admin, { title: "The shown one" });
  for (const who of [null, outsider]) {
    const lists = [
      await as(who)(events.list, { query: { size: 200 } }),
      ...(await Promise.all(all.map((event) => as(who)(events.list, { query: { q: uniqueWordOf(event) } })))),
    ];
    const texts = [
      ...lists.map(({ body }) => JSON.stringify(body)),
      ...(await Promise.all(
        ["/sitemap.xml", CALENDAR_PATH, "/events", "/robots.txt", "/api/openapi.json"].map(
          async (url) => (await app.inject({ url, headers: { host: "localhost" } })).body,
        ),
      )),
    ];
    for (const event of all) expect(texts.filter((text) => text.includes(uniqueWordOf(event)))).toEqual([]);
    expect(texts[0]).toContain("The shown one");
    expect(JSON.stringify(lists[0]?.body.languages)).not.toContain("sv");
  }
  expect((await app.inject("/sitemap.xml")).body).toContain(`/events/${shown.slug}<`);
  expect((await app.inject(CALENDAR_PATH)).body).toContain("The shown one");
  expect((await as(insider)(events.list, { query: { q: uniqueWordOf(all[1] as AdminEvent) } })).body.total).toBe(1);
});

test("shows restricted events to those with access, including pictures and calendar", async () => {
  const [unlisted, ofCompany, coded] = [
    await createHidden("unlisted"),
    await createHidden("company"),
    await createHidden("code"),
  ];
  for (const [event, who, query] of [
    [unlisted, null, ""],
    [ofCompany, insider, ""],
    [ofCompany, admin, ""],
    [coded, null, "?code=open%20sesame"],
    [coded, admin, ""],
  ] as const) {
    const replies = await requestAll(event.slug, who, query);
    expect([
      replies.show.statusCode,
      replies.challenge.statusCode,
      replies.cover.statusCode,
      replies.calendar.statusCode,
    ]).toEqual([200, 200, 200, 200]);
    const { event: shown } = replies.show.json() as {
      event: { coverUrl: string; calendarUrl: string; speakers: { photoUrl: string }[] };
    };
    // Browsers fetch pictures and calendars without a token: the grant in the URL gives access to this event only.
    for (const url of [shown.coverUrl, shown.calendarUrl, shown.speakers[0]?.photoUrl as string]) {
      expect((await app.inject(url)).statusCode).toBe(200);
      if (event !== unlisted)
        expect(
          (
            await app.inject(
              url.replace(/grant=\d+/, (grant) => grant.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))),
            )
          ).statusCode,
        ).toBe(404);
    }
    expect(replies.show.body).not.toContain(SECRET);
    expect(replies.calendar.body).not.toContain(SECRET);
  }
  const { calendarUrl } = (await as(insider)(events.show, { params: { slug: ofCompany.slug } })).body.event as {
    calendarUrl: string;
  };
  expect((await app.inject(calendarUrl.replace(ofCompany.slug, coded.slug))).statusCode).toBe(404);
  const form = maker.form(coded);
  expect((await maker.sendForm(coded.slug, { ...form, accessCode: "nope" })).status).toBe(404);
  expect((await maker.sendForm(coded.slug, { ...form, accessCode: CODE })).body.issues).toMatchObject([
    { path: "proofOfWork" },
  ]);
});

test("limits guesses of access codes, also for events that do not exist", async () => {
  const coded = await createHidden("code");
  const tries = async (slug: string, remoteAddress: string) => {
    const codes: number[] = [];
    for (let n = 0; n < 34; n++)
      codes.push((await app.inject({ url: `/api/events/${slug}?code=guess${n}`, remoteAddress })).statusCode);
    return codes;
  };
  const [real, none] = [await tries(coded.slug, "10.7.7.7"), await tries("never-was", "10.7.8.7")];
  expect(real).toEqual(none);
  expect(real.slice(0, 30).every((code) => code === 404) && real.slice(30).every((code) => code === 429)).toBe(true);
  expect(
    (await app.inject({ url: `/api/events/${coded.slug}?code=${encodeURIComponent(CODE)}`, remoteAddress: "10.7.9.7" }))
      .statusCode,
  ).toBe(200);
});

test("the page head is escaped and contains structured data but no private data", async () => {
  const event = await maker.createPublished(admin, {
    title: 'Cats </script><script>alert(1)</script> & "dogs"',
    description:
      "# Why\n\n<img src=x onerror=alert(1)> [go](javascript:alert(1)) ![pixel](https://spy.example/p.png) **bold**",
    attendanceMode: "hybrid",
    onlineUrl: SECRET,
    timezone: "Asia/Kathmandu",
    startsLocal: "2031-02-03T10:00",
    endsLocal: "2031-02-03T12:00",
    summary: "A day",
    agenda: [{ id: randomUUID(), title: "Opening <b>", startsAt: "2031-02-03T10:15" }],
    capacity: 1,
    cover: await uploadPicture(),
  });
  const guest = await maker.registerGuest(event, { attendance: "in_person", name: "Very Private" });
  const page = await app.inject({ url: `/events/${event.slug}`, headers: { host: "localhost" } });
  expect([page.statusCode, page.headers["x-robots-tag"]]).toEqual([200, undefined]);
  expect(page.body.replace(/<script type="application\/json".*?<\/script>/gs, "")).not.toMatch(
    /<script>alert|<img src=x|javascript:alert|<b>/,
  );
  expect(page.body).toContain(`<link rel="canonical" href="http://localhost:1/events/${event.slug}">`);
  expect(page.body).toContain(`<meta property="og:image" content="http://localhost:1/api/events/${event.slug}/cover">`);
  const linked = JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.body)?.[1] ?? "",
  ) as Record<string, unknown>;
  expect(linked).toMatchObject({
    "@type": "Event",
    name: event.title,
    startDate: "2031-02-03T10:00:00+05:45",
    eventStatus: "https://schema.org/EventScheduled",
    eventAttendanceMode: "https://schema.org/MixedEventAttendanceMode",
    offers: { availability: "https://schema.org/InStock" },
    location: [{ "@type": "Place" }, { "@type": "VirtualLocation" }],
    organizer: { "@type": "Organization", name: "Academy" },
  });
  const everything = [
    page.body,
    (await app.inject(`/api/events/${event.slug}`)).body,
    (await app.inject(eventCalendarPath(event.slug))).body,
    (await app.inject("/api/events")).body,
  ].join("\n");
  for (const word of ["secret-room", "Very Private", guest.email, "accessCode"]) expect(everything).not.toContain(word);
  const now = (await as(admin)(events.get, { params: { id: event.id } })).body;
  expect(JSON.stringify(now)).not.toMatch(/accessCode|[Hh]ash/);
  await as(admin)(events.cancel, { params: { id: event.id }, body: { version: now.version, reason: "Ill" } });
  expect((await app.inject({ url: `/events/${event.slug}`, headers: { host: "localhost" } })).body).toContain(
    "EventCancelled",
  );
  const quiet = await maker.createPublished(admin, { indexable: false });
  for (const url of [`/events/${quiet.slug}`, `/events/${quiet.slug}/register`, "/events/registration/abcdefghijkl"]) {
    const reply = await app.inject({ url, headers: { host: "localhost" } });
    expect([
      url,
      reply.statusCode,
      reply.headers["x-robots-tag"],
      reply.body.includes('<meta name="robots" content="noindex">'),
    ]).toEqual([url, 200, "noindex", true]);
  }
});
