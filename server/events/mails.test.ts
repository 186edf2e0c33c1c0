import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ICAL from "ical.js";
import jsqrModule from "jsqr";
import nodeIcal from "node-ical";
import { PNG } from "pngjs";
import { SMTPServer } from "smtp-server";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { eventJobs, remindGuests } from "#server/events/jobs.ts";
import { recomputeEventTimes } from "#server/events/timeZoneUpdates.ts";
import { sendMail } from "#server/mails/service.ts";
import { events } from "#shared/events.ts";
import { eventRegistrations } from "#shared/eventRegistrations.ts";
import { CALENDAR_PATH, eventCalendarPath } from "#shared/events.ts";
import { createEventMaker, inHours } from "#test/events.ts";
import { start } from "#test/start.ts";

type Reader = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
const jsqr = ((jsqrModule as unknown as { default?: Reader }).default ?? jsqrModule) as Reader;

/** A mail server on loopback; what arrives is kept by recipient. */
const received: { to: string; text: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  logger: false,
  onData: (stream, session, done) => {
    let text = "";
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on("end", () => {
      received.push({ to: session.envelope.rcptTo[0]?.address ?? "", text });
      done();
    });
  },
});
server.listen(0, "127.0.0.1");
await once(server.server, "listening");
afterAll(() => server.close());
const { port } = server.server.address() as AddressInfo;

const tools = await start({ SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: "http://localhost:3999" });
const { app, as, make, db, services } = tools;
const maker = createEventMaker(tools);
const admin = await make.admin();
const flush = () => maker.drain([...eventJobs, sendMail]);
const reasons = async (email: string) =>
  (await maker.mailsTo(email)).map(({ reason }) => reason.replace("events.", ""));
type Stored = { name: string; type: string; content: string; method?: string };
const calendarOf = async (email: string) =>
  (await maker.mailsTo(email))
    .flatMap(({ attachments }) => (attachments as unknown as Stored[]).filter(({ method }) => method))
    .map(({ content, method }) => ({ method, text: Buffer.from(content, "base64").toString("utf8") }));

/** One entry as two parsers that know nothing of each other read it. */
function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  const entry = new ICAL.Event(calendar.getFirstSubcomponent("vevent") as never);
  const other = Object.values(nodeIcal.sync.parseICS(text)).find(
    (one) => (one as { type: string }).type === "VEVENT",
  ) as unknown as {
    start: Date;
    end: Date;
    uid: string;
    sequence: string;
    method: string;
    status: string;
    summary: string;
    location: string;
  };
  const value = (name: string) =>
    (calendar.getFirstSubcomponent("vevent") as InstanceType<typeof ICAL.Component>)
      .getFirstPropertyValue(name)
      ?.toString() ?? null;
  const one = {
    start: entry.startDate.toJSDate().toISOString(),
    end: entry.endDate.toJSDate().toISOString(),
    uid: entry.uid,
    sequence: Number(value("sequence")),
    status: value("status"),
    summary: entry.summary,
    method: calendar.getFirstPropertyValue("method") as string,
  };
  expect({
    start: other.start.toISOString(),
    end: other.end.toISOString(),
    uid: other.uid,
    sequence: Number(other.sequence),
    status: other.status,
    summary: other.summary,
  }).toEqual({
    start: one.start,
    end: one.end,
    uid: one.uid,
    sequence: one.sequence,
    status: one.status,
    summary: one.summary,
  });
  return {
    ...one,
    location: entry.location,
    description: entry.description,
    attendee: value("attendee"),
    organizer: value("organizer"),
  };
}

test.each([
  ["Pacific/Pago_Pago", "2031-06-01T23:30", "2031-06-02T01:00", "2031-06-02T10:30:00.000Z", "GMT-11"],
  ["Asia/Kathmandu", "2031-06-01T10:00", "2031-06-01T11:30", "2031-06-01T04:15:00.000Z", "GMT+5:45"],
  ["Pacific/Kiritimati", "2031-01-01T00:30", "2031-01-01T02:00", "2030-12-31T10:30:00.000Z", "GMT+14"],
  ["Europe/Berlin", "2031-03-30T01:30", "2031-03-30T03:30", "2031-03-30T00:30:00.000Z", "CET to CEST"],
  ["Europe/Berlin", "2031-10-26T02:30", "2031-10-26T04:00", "2031-10-26T00:30:00.000Z", "CEST to CET"],
  ["US/Pacific", "2031-07-01T09:00", "2031-07-01T10:00", "2031-07-01T16:00:00.000Z", "PDT"],
])("calendar and mail of %s at %s", async (timezone, startsLocal, endsLocal, startsAt, zone) => {
  const event = await maker.published(admin, {
    timezone,
    startsLocal,
    endsLocal,
    title: 'Talk, with; commas\\ & "quotes"',
  });
  const reply = await app.inject(eventCalendarPath(event.slug));
  expect(reply.headers["content-type"]).toContain("text/calendar");
  const entry = parse(reply.body);
  expect(entry).toMatchObject({
    start: startsAt,
    end: event.endsAt,
    uid: `event-${event.id}@localhost`,
    sequence: 0,
    status: "CONFIRMED",
    method: "PUBLISH",
    summary: event.title,
    location: "Hall, Bergen",
  });
  expect(reply.body).not.toMatch(/TZID|registration\//);
  const guest = await maker.guest(event);
  const [mail] = await maker.mailsTo(guest.email);
  expect(mail?.body).toMatch(
    new RegExp(
      `When: .*${startsLocal.slice(11)} to .*\\(${timezone.split("/").at(-1)?.replace("_", " ")} time, ${zone.replaceAll("+", "\\+")}\\)`,
    ),
  );
});

test("one guest: a place, a change, a call-off; the same entry each time with a growing number, and nothing secret in it", async () => {
  const event = await maker.published(admin, {
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/secret-room",
    organiserEmail: "org@example.com",
  });
  const guest = await maker.guest(event, { attendance: "online", name: 'Åse "The; Voice", Berg' });
  const waiting = await maker.guest((await as(admin)(events.get, { params: { id: event.id } })).body, {
    attendance: "in_person",
  });
  let now = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: event.version, description: "Only words" },
    })
  ).body;
  await flush();
  expect(await reasons(guest.email)).toEqual(["confirmed"]);
  now = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: now.version, startsLocal: inHours(400), endsLocal: inHours(403) },
    })
  ).body;
  await flush();
  now = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: now.version, venue: { name: "Elsewhere" } as never, notify: false },
    })
  ).body;
  await as(admin)(events.cancel, {
    params: { id: event.id },
    body: { version: now.version, reason: "The roof leaks." },
  });
  await flush();
  expect(await reasons(guest.email)).toEqual(["confirmed", "changed", "eventCancelled"]);
  expect(await reasons(waiting.email)).toEqual(["confirmed", "changed", "eventCancelled"]);
  const entries = (await calendarOf(guest.email)).map(({ method, text }) => ({ sent: method, text, ...parse(text) }));
  expect(entries.map(({ sent, method, sequence, status }) => [sent, method, sequence, status])).toEqual([
    ["REQUEST", "REQUEST", 0, "CONFIRMED"],
    ["REQUEST", "REQUEST", 1, "CONFIRMED"],
    ["CANCEL", "CANCEL", 4, "CANCELLED"],
  ]);
  expect(new Set(entries.map(({ uid }) => uid))).toEqual(new Set([`reg-${guest.id}@localhost`]));
  expect(entries[1]?.start).toBe(now.startsAt);
  expect(entries[0]).toMatchObject({
    attendee: `mailto:${guest.email}`,
    organizer: expect.stringMatching(/^mailto:org@example.com$/i),
    location: "Online",
  });
  for (const { text } of entries)
    expect(text.replace(/\r\n /g, "")).not.toMatch(
      new RegExp(`secret-room|registration/|${guest.token}|${guest.reference}`),
    );
  for (const mail of await maker.mailsTo(guest.email))
    expect([mail.body, mail.html].join()).not.toContain("secret-room");
  expect((await maker.mailsTo(guest.email)).at(-1)?.body).toContain("The roof leaks.");
  expect((await app.inject(CALENDAR_PATH)).body).toContain("STATUS:CANCELLED");
});

test("over the wire: plain text, HTML, a calendar part that programs act on, a ticket that a camera reads", async () => {
  const event = await maker.published(admin, { organiserEmail: "org@example.com", title: "Grüße <b>" });
  const guest = await maker.guest(event, { name: "Zoë & Söhne" });
  await flush();
  const sent = received.find(({ to }) => to === guest.email)?.text as string;
  expect(sent).toMatch(/^Reply-To: org@example.com\r$/m);
  expect(sent).toMatch(
    /text\/plain[\s\S]*text\/html[\s\S]*Content-Type: text\/calendar; charset=utf-8; method=REQUEST/,
  );
  expect(sent).toMatch(/Content-Type: image\/png; name=ticket.png[\s\S]*Content-ID: <ticket>/i);
  const [mail] = await maker.mailsTo(guest.email);
  expect(mail).toMatchObject({ status: "sent", subject: "You are registered: Grüße <b>" });
  expect(mail?.html).not.toMatch(/Zoë & S|Grüße <b>/);
  const own = (await as(null)(eventRegistrations.mine, { params: { token: guest.token } })).body;
  const enclosed = ((mail?.attachments ?? []) as unknown as Stored[]).find(({ type }) => type === "image/png");
  for (const bytes of [
    Buffer.from(enclosed?.content as string, "base64"),
    (await app.inject(own.ticketUrl as string)).rawPayload,
  ]) {
    const { data, width, height } = PNG.sync.read(bytes);
    expect(jsqr(new Uint8ClampedArray(data), width, height)?.data).toBe(own.ticket);
  }
  expect(own.ticket).not.toContain(guest.token);
  // Who reads the plain text has neither a button nor a picture in the middle of it.
  expect(mail?.body).toContain("Your ticket is enclosed as a picture.");
  expect(mail?.body).toContain("The link above leads to your own page");
  expect(mail?.body).not.toMatch(/button|below/);
  expect(mail?.html).toContain("Show the code below");
  expect(mail?.html).toContain("The button leads to your own page");
});

test("reminders a day and an hour before, thanks after it: each once, and none for who came later", async () => {
  const event = await maker.published(admin, { startsLocal: inHours(48), endsLocal: inHours(49) });
  const early = await maker.guest(event);
  const run = async () => {
    await Promise.all([remindGuests.work(services, {}), remindGuests.work(services, {})]);
    await remindGuests.work(services, {});
  };
  await run();
  expect(await reasons(early.email)).toEqual(["confirmed"]);
  const startIn = (minutes: number) =>
    db
      .updateTable("events")
      .set({
        startsAt: sql`now() + make_interval(mins => ${minutes})`,
        endsAt: sql`now() + make_interval(mins => ${minutes + 60})`,
      })
      .where("id", "=", event.id)
      .execute();
  // The clock goes on: the event comes nearer, and its guest is longer registered.
  await startIn(20 * 60);
  await db
    .updateTable("eventRegistrations")
    .set({ confirmedAt: sql`now() - interval '5 hours'` })
    .where("id", "=", early.id)
    .execute();
  const late = await maker.guest(event);
  await run();
  expect([await reasons(early.email), await reasons(late.email)]).toEqual([["confirmed", "reminder"], ["confirmed"]]);
  expect((await maker.mailsTo(early.email)).at(-1)?.subject).toMatch(/^Tomorrow/);
  await startIn(50);
  await db
    .updateTable("eventRegistrations")
    .set({ confirmedAt: sql`now() - interval '20 hours'` })
    .where("eventId", "=", event.id)
    .execute();
  await run();
  expect([await reasons(early.email), await reasons(late.email)]).toEqual([
    ["confirmed", "reminder", "reminder"],
    ["confirmed", "reminder"],
  ]);
  await startIn(-90);
  await as(admin)(eventRegistrations.checkIn, { params: { id: early.id }, body: {} });
  await run();
  expect([(await reasons(early.email)).at(-1), (await reasons(late.email)).at(-1)]).toEqual(["thanks", "reminder"]);
  expect((await reasons(early.email)).length).toBe(4);
});

test("a zone that changes its clocks: the wall time stays, the instant and the calendars follow", async () => {
  const event = await maker.published(admin, {
    timezone: "Europe/Berlin",
    startsLocal: "2031-06-01T10:00",
    endsLocal: "2031-06-01T12:00",
  });
  const guest = await maker.guest(event);
  // As if it had been planned under rules by which it was an hour later.
  await db
    .updateTable("events")
    .set({ startsAt: "2031-06-01T09:00:00Z", endsAt: "2031-06-01T11:00:00Z" })
    .where("id", "=", event.id)
    .execute();
  await recomputeEventTimes.work(services, {});
  await recomputeEventTimes.work(services, {});
  await flush();
  expect((await as(admin)(events.get, { params: { id: event.id } })).body).toMatchObject({
    startsLocal: "2031-06-01T10:00",
    startsAt: "2031-06-01T08:00:00.000Z",
    endsAt: "2031-06-01T10:00:00.000Z",
    version: event.version + 1,
  });
  expect(
    (await calendarOf(guest.email)).map(({ text }) => parse(text)).map(({ start, sequence }) => [start, sequence]),
  ).toEqual([
    ["2031-06-01T08:00:00.000Z", 0],
    ["2031-06-01T08:00:00.000Z", 1],
  ]);
});

test("a message reaches the chosen group, once each, also when the job is cut off and runs again", async () => {
  const event = await maker.published(admin, { capacity: 2 });
  const guests = await Promise.all(Array.from({ length: 5 }, () => maker.guest(event)));
  const confirmed = guests.filter(({ state }) => state === "confirmed");
  const { body } = await as(admin)(eventRegistrations.sendMessage, {
    params: { id: event.id },
    body: { filter: { state: "confirmed" }, subject: "Bring shoes", text: "First line\nsecond <line>" },
  });
  expect(body).toEqual({ sent: 2 });
  const queued = await services.pool.query<{ payload: never }>(
    `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'events:tell'`,
  );
  const job = eventJobs.find(({ name }) => name === "events:tell") as (typeof eventJobs)[number];
  for (let n = 0; n < 3; n++) for (const { payload } of queued.rows) await job.work(services, payload);
  await flush();
  for (const { email, id } of guests)
    expect((await reasons(email)).filter((reason) => reason === "message").length).toBe(
      confirmed.some((one) => one.id === id) ? 1 : 0,
    );
  expect((await maker.mailsTo(confirmed[0]?.email as string)).at(-1)).toMatchObject({
    subject: "Bring shoes",
    html: expect.stringContaining("second &lt;line&gt;"),
  });
});
