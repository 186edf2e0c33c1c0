import ICAL from "ical.js";
import nodeIcal from "node-ical";
import { expect, test } from "vitest";
import { events } from "#shared/events/events.ts";
import { createEventMaker, inHours } from "#test/events.ts";
import { start } from "#test/start.ts";
import { eventJobs } from "#server/events/jobs.ts";
import { recomputeEventTimes } from "#server/events/timeZoneUpdates.ts";
import { CALENDAR_PATH, eventCalendarPath } from "#shared/events/events.ts";

const server = await start({ PUBLIC_URL: "http://localhost:3999" });
const { app, as, make, db, services } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const runJobs = () => maker.runJobs([...eventJobs]);
const reasons = async (email: string) =>
  (await maker.mailsTo(email)).map(({ reason }) => reason.replace("events.", ""));
const calendarOf = async (email: string) =>
  (await maker.mailsTo(email))
    .flatMap(({ attachments }) => attachments.filter(({ method }) => method))
    .map(({ content, method }) => ({ method, text: Buffer.from(content, "base64").toString("utf8") }));

/** A calendar entry, read by two independent parsers that must agree. */
function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  const entry = new ICAL.Event(calendar.getFirstSubcomponent("vevent") as never);
  const other = Object.values(nodeIcal.sync.parseICS(text)).find(
    (component) => (component as { type: string }).type === "VEVENT",
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
  const parsed = {
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
    start: parsed.start,
    end: parsed.end,
    uid: parsed.uid,
    sequence: parsed.sequence,
    status: parsed.status,
    summary: parsed.summary,
  });
  return {
    ...parsed,
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
])("writes calendar entry and mail times of %s at %s", async (timezone, startsLocal, endsLocal, startsAt, zone) => {
  const event = await maker.createPublished(admin, {
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
  const guest = await maker.registerGuest(event);
  const [mail] = await maker.mailsTo(guest.email);
  const city = timezone.split("/").at(-1)?.replace("_", " ");
  expect(mail?.body).toMatch(
    new RegExp(`When: .*${startsLocal.slice(11)} to .*\\(${city} time, ${zone.replaceAll("+", "\\+")}\\)`),
  );
});

test("updates and cancels one calendar entry per guest, without secrets", async () => {
  const event = await maker.createPublished(admin, {
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/secret-room",
    organiserEmail: "org@example.com",
  });
  const guest = await maker.registerGuest(event, { attendance: "online", name: 'Åse "The; Voice", Berg' });
  const waiting = await maker.registerGuest((await as(admin)(events.get, { params: { id: event.id } })).body, {
    attendance: "in_person",
  });
  let current = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: event.version, description: "Only words" },
    })
  ).body;
  await runJobs();
  expect(await reasons(guest.email)).toEqual(["confirmed"]);
  current = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: current.version, startsLocal: inHours(400), endsLocal: inHours(403) },
    })
  ).body;
  await runJobs();
  current = (
    await as(admin)(events.update, {
      params: { id: event.id },
      body: { version: current.version, venue: { name: "Elsewhere" } as never, notify: false },
    })
  ).body;
  await as(admin)(events.cancel, {
    params: { id: event.id },
    body: { version: current.version, reason: "The roof leaks." },
  });
  await runJobs();
  expect(await reasons(guest.email)).toEqual(["confirmed", "changed", "eventCancelled"]);
  expect(await reasons(waiting.email)).toEqual(["confirmed", "changed", "eventCancelled"]);
  const entries = (await calendarOf(guest.email)).map(({ method, text }) => ({ sent: method, text, ...parse(text) }));
  expect(entries.map(({ sent, method, sequence, status }) => [sent, method, sequence, status])).toEqual([
    ["REQUEST", "REQUEST", 0, "CONFIRMED"],
    ["REQUEST", "REQUEST", 1, "CONFIRMED"],
    ["CANCEL", "CANCEL", 4, "CANCELLED"],
  ]);
  expect(new Set(entries.map(({ uid }) => uid))).toEqual(new Set([`reg-${guest.id}@localhost`]));
  expect(entries[1]?.start).toBe(current.startsAt);
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

test("keeps the local time when the rules of a time zone change", async () => {
  const event = await maker.createPublished(admin, {
    timezone: "Europe/Berlin",
    startsLocal: "2031-06-01T10:00",
    endsLocal: "2031-06-01T12:00",
  });
  const guest = await maker.registerGuest(event);
  // As if it had been planned under rules that differ by an hour.
  await db
    .updateTable("events")
    .set({ startsAt: "2031-06-01T09:00:00Z", endsAt: "2031-06-01T11:00:00Z" })
    .where("id", "=", event.id)
    .execute();
  await recomputeEventTimes.work(services, {});
  await recomputeEventTimes.work(services, {});
  await runJobs();
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
