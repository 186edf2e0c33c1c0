import { once } from "node:events";
import type { AddressInfo } from "node:net";
import jsqrModule from "jsqr";
import { PNG } from "pngjs";
import { SMTPServer } from "smtp-server";
import { afterAll } from "vitest";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { eventRegistrations } from "#shared/events/eventRegistrations.ts";
import { createEventMaker, inHours } from "#test/events.ts";
import { start } from "#test/start.ts";
import { eventJobs, remindGuests } from "#server/events/jobs.ts";
import { sendMail } from "#server/mails/service.ts";

type Reader = (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
const jsqr = ((jsqrModule as unknown as { default?: Reader }).default ?? jsqrModule) as Reader;

/** A mail server on loopback that stores what it receives. */
const received: { to: string; text: string }[] = [];
const smtpServer = new SMTPServer({
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
smtpServer.listen(0, "127.0.0.1");
await once(smtpServer.server, "listening");
afterAll(() => smtpServer.close());
const { port } = smtpServer.server.address() as AddressInfo;

const server = await start({ SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: "http://localhost:3999" });
const { app, as, make, db, services } = server;
const maker = createEventMaker(server);
const admin = await make.admin();
const runJobs = () => maker.runJobs([...eventJobs, sendMail]);
const reasons = async (email: string) =>
  (await maker.mailsTo(email)).map(({ reason }) => reason.replace("events.", ""));

test("sends text, HTML, a calendar part and a readable ticket", async () => {
  const event = await maker.createPublished(admin, { organiserEmail: "org@example.com", title: "Grüße <b>" });
  const guest = await maker.registerGuest(event, { name: "Zoë & Söhne" });
  await runJobs();
  const sent = received.find(({ to }) => to === guest.email)?.text as string;
  expect(sent).toMatch(/^Reply-To: org@example.com\r$/m);
  expect(sent).toMatch(
    /text\/plain[\s\S]*text\/html[\s\S]*Content-Type: text\/calendar; charset=utf-8; method=REQUEST/,
  );
  expect(sent).toMatch(/Content-Type: image\/png; name=ticket.png[\s\S]*Content-ID: <ticket>/i);
  const [mail] = await maker.mailsTo(guest.email);
  expect(mail).toMatchObject({ status: "sent", subject: "You are registered: Grüße <b>" });
  expect(mail?.html).not.toMatch(/Zoë & S|Grüße <b>/);
  const registration = (await as(null)(eventRegistrations.mine, { params: { token: guest.token } })).body;
  const attached = (mail?.attachments ?? []).find(({ type }) => type === "image/png");
  for (const bytes of [
    Buffer.from(attached?.content as string, "base64"),
    (await app.inject(registration.ticketUrl as string)).rawPayload,
  ]) {
    const { data, width, height } = PNG.sync.read(bytes);
    expect(jsqr(new Uint8ClampedArray(data), width, height)?.data).toBe(registration.ticket);
  }
  expect(registration.ticket).not.toContain(guest.token);
  // Plain text has neither a button nor an inline image to refer to.
  expect(mail?.body).toContain("Your ticket is attached as an image.");
  expect(mail?.body).toContain("The link above opens your registration page");
  expect(mail?.body).not.toMatch(/button|below/);
  expect(mail?.html).toContain("Show the code below");
  expect(mail?.html).toContain("The button opens your registration page");
});

test("sends each reminder and thank-you once, to guests confirmed before it was due", async () => {
  const event = await maker.createPublished(admin, { startsLocal: inHours(48), endsLocal: inHours(49) });
  const early = await maker.registerGuest(event);
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
  // Moves the event closer and the confirmation further back.
  await startIn(20 * 60);
  await db
    .updateTable("eventRegistrations")
    .set({ confirmedAt: sql`now() - interval '5 hours'` })
    .where("id", "=", early.id)
    .execute();
  const late = await maker.registerGuest(event);
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

test("sends a message once per chosen guest, also if its job runs again", async () => {
  const event = await maker.createPublished(admin, { capacity: 2 });
  const guests = await Promise.all(Array.from({ length: 5 }, () => maker.registerGuest(event)));
  const confirmed = guests.filter(({ state }) => state === "confirmed");
  const { body } = await as(admin)(eventRegistrations.sendMessage, {
    params: { id: event.id },
    body: { filter: { state: "confirmed" }, subject: "Bring shoes", text: "First line\nsecond <line>" },
  });
  expect(body).toEqual({ sent: 2 });
  const queued = await services.pool.query<{ payload: never }>(
    `select payload
    from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    where tasks.identifier = 'events:tell'`,
  );
  const job = eventJobs.find(({ name }) => name === "events:tell") as (typeof eventJobs)[number];
  for (let run = 0; run < 3; run++) for (const { payload } of queued.rows) await job.work(services, payload);
  await runJobs();
  for (const { email, id } of guests)
    expect((await reasons(email)).filter((reason) => reason === "message").length).toBe(
      confirmed.some((guest) => guest.id === id) ? 1 : 0,
    );
  expect((await maker.mailsTo(confirmed[0]?.email as string)).at(-1)).toMatchObject({
    subject: "Bring shoes",
    html: expect.stringContaining("second &lt;line&gt;"),
  });
});
