import { randomUUID } from "node:crypto";
import { solveChallenge } from "altcha-lib/v1";
import { unzipSync } from "fflate";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { csvCell } from "#server/events/organiser/registrationExport.ts";
import { attachRegistrations } from "#server/events/organiser/followUps.ts";
import { linkAccounts, purgeGuests } from "#server/events/jobs.ts";
import { courses } from "#shared/courses.ts";
import { events } from "#shared/events.ts";
import { eventRegistrations, registrationsExportPath } from "#shared/eventRegistrations.ts";
import { learners } from "#shared/learners.ts";
import { createEventMaker } from "#test/events.ts";
import { start } from "#test/start.ts";

const tools = await start();
const { app, as, make, db, services } = tools;
const maker = createEventMaker(tools);
const { admin, company, learner, course } = await make.classroom();
const open = as(null);
const endNow = (id: string, days = 0) =>
  db
    .updateTable("events")
    .set({
      startsAt: sql`now() - make_interval(days => ${days}, hours => 2)`,
      endsAt: sql`now() - make_interval(days => ${days}, mins => 1)`,
    })
    .where("id", "=", id)
    .execute();

test("limits: three mails an address and hour whatever it is, a hundred forms a network, known or not is not told", async () => {
  const [known, email] = [
    await maker.published(admin, { requireEmailConfirmation: true }),
    `bomb-${randomUUID()}@example.com`,
  ];
  const others = await Promise.all([1, 2, 3].map(() => maker.published(admin, { requireEmailConfirmation: true })));
  const answers = [await maker.send(known.slug, maker.form(known, { email }))];
  for (const event of others) answers.push(await maker.send(event.slug, maker.form(event, { email })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect((await maker.mailsTo(email)).length).toBe(3);
  const there = await maker.guest(known);
  await open(eventRegistrations.confirmEmail, { params: { token: there.token } });
  await db
    .updateTable("eventRegistrations")
    .set({ createdAt: sql`now() - interval '1 hour'` })
    .where("id", "=", there.id)
    .execute();
  const [again, fresh] = [
    await maker.send(known.slug, maker.form(known, { email: there.email })),
    await maker.send(known.slug, maker.form(known)),
  ];
  expect(again).toEqual(fresh);
  expect((await maker.mailsTo(there.email)).at(-1)?.reason).toBe("events.already");
  const flood = await maker.published(admin);
  const codes: number[] = [];
  for (let n = 0; n < 102; n++)
    codes.push((await maker.send(flood.slug, maker.form(flood, { website: "" }), "10.99.99.7")).status);
  expect([codes.filter((code) => code === 200).length, codes.filter((code) => code === 429).length]).toEqual([100, 2]);
}, 60_000);

test("a lost mail: the link comes again, to the mailbox alone", async () => {
  const event = await maker.published(admin);
  const guest = await maker.guest(event);
  const ask = (email: string) => open(eventRegistrations.sendLink, { params: { slug: event.slug }, body: { email } });
  const [known, unknown] = [await ask(guest.email), await ask(`nobody-${randomUUID()}@example.com`)];
  expect([known.status, known.body, unknown.status, unknown.body]).toEqual([204, undefined, 204, undefined]);
  expect((await maker.mailsTo(guest.email)).at(-1)).toMatchObject({
    reason: "events.link",
    body: expect.stringContaining(guest.token),
  });
  expect([(await ask(guest.email)).status, (await ask(guest.email)).code]).toEqual([204, "events.tooManyMails"]);
});

test("programs: a field that people do not see, links in names, text that is too long, no consent", async () => {
  const event = await maker.published(admin, { requireEmailConfirmation: true });
  const trapped = maker.form(event, { website: "https://spam.example" });
  expect(await maker.send(event.slug, trapped)).toEqual({
    status: 200,
    body: { next: "check_mail", reference: null, state: null },
  });
  expect(await maker.mailsTo(trapped.email)).toEqual([]);
  for (const name of ["Win at https://x.example", "see www.spam.org", "bit.com/x", "x".repeat(121)])
    expect((await maker.send(event.slug, maker.form(event, { name }))).body.issues).toMatchObject([{ path: "name" }]);
  expect(
    (await maker.send(event.slug, { ...maker.form(event), privacyAccepted: false as never })).body.issues,
  ).toMatchObject([{ path: "privacyAccepted", code: "events.privacyNeeded" }]);
  expect(
    (await db.selectFrom("eventRegistrations").where("eventId", "=", event.id).select("id").execute()).length,
  ).toBe(0);
});

test("proof of work: solved once is good once, for this event only", async () => {
  const [event, other] = [
    await maker.published(admin, { challenge: "pow" }),
    await maker.published(admin, { challenge: "pow" }),
  ];
  const { body } = await open(eventRegistrations.challenge, { params: { slug: event.slug } });
  const solved = await solveChallenge(body.challenge, body.salt, body.algorithm, body.maxnumber).promise;
  const proofOfWork = Buffer.from(
    JSON.stringify({
      algorithm: body.algorithm,
      challenge: body.challenge,
      number: solved?.number,
      salt: body.salt,
      signature: body.signature,
    }),
  ).toString("base64");
  expect((await maker.send(event.slug, maker.form(event))).body.issues).toMatchObject([
    { path: "proofOfWork", code: "events.proofOfWorkRequired" },
  ]);
  expect(
    (await maker.send(event.slug, maker.form(event, { proofOfWork: `${proofOfWork.slice(0, -8)}AAAA` }))).status,
  ).toBe(422);
  expect((await maker.send(other.slug, maker.form(other, { proofOfWork }))).status).toBe(422);
  const used = await Promise.all([1, 2, 3].map(() => maker.send(event.slug, maker.form(event, { proofOfWork }))));
  expect(used.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
}, 60_000);

test("signed in: at once and attached when the mailbox is proven; otherwise like every guest", async () => {
  const event = await maker.published(admin, { requireEmailConfirmation: true });
  const form = maker.form(event, { email: learner.user.email });
  expect((await maker.send(event.slug, form, "10.3.3.3", learner.token)).body).toEqual({
    next: "check_mail",
    reference: null,
    state: null,
  });
  expect((await as(learner)(events.show, { params: { slug: event.slug } })).body.event?.myRegistration).toBeNull();
  await db.updateTable("users").set({ emailVerified: true }).where("id", "=", learner.user.id).execute();
  const row = await maker.rowOf(learner.user.email);
  const reply = (await maker.send(event.slug, form, "10.3.3.3", learner.token)).body;
  expect(reply).toEqual({ next: "done", reference: row.reference, state: "confirmed" });
  expect((await as(learner)(events.show, { params: { slug: event.slug } })).body.event?.myRegistration).toEqual({
    reference: row.reference,
    state: "confirmed",
  });
  // Somebody else's address is a stranger's address, whoever is signed in.
  expect((await maker.send(event.slug, maker.form(event), "10.3.3.3", learner.token)).body.next).toBe("check_mail");
});

test("own page: change as the event allows, a new name is a new ticket, the room opens late, export and erase", async () => {
  const event = await maker.published(admin, {
    attendanceMode: "hybrid",
    onlineUrl: "https://meet.example/r",
    joinOpensMinutes: 60,
    capacity: 1,
  });
  const [guest, next] = [
    await maker.guest(event, { attendance: "in_person" }),
    await maker.guest(event, { attendance: "in_person" }),
  ];
  const online = await maker.guest(event, { attendance: "online" });
  const old = (await open(eventRegistrations.mine, { params: { token: guest.token } })).body;
  const renamed = (
    await open(eventRegistrations.updateMine, { params: { token: guest.token }, body: { name: "Gustav Guest" } })
  ).body;
  expect([renamed.name, renamed.ticket === old.ticket]).toEqual(["Gustav Guest", false]);
  const scan = (ticket: string | null) =>
    as(admin)(eventRegistrations.checkInByTicket, { params: { id: event.id }, body: { ticket: ticket as string } });
  expect([
    (await scan(old.ticket)).code,
    (await scan(`${old.ticket?.slice(0, -3)}AAA`)).code,
    (await scan(renamed.ticket)).body.outcome,
  ]).toEqual(["events.ticketReplaced", "events.ticketUnknown", "checked_in"]);
  expect((await open(eventRegistrations.mine, { params: { token: online.token } })).body).toMatchObject({
    onlineUrl: null,
    ticket: null,
  });
  await db
    .updateTable("events")
    .set({ startsAt: sql`now() + interval '59 minutes'` })
    .where("id", "=", event.id)
    .execute();
  expect((await open(eventRegistrations.mine, { params: { token: online.token } })).body.onlineUrl).toBe(
    "https://meet.example/r",
  );
  const now = (await as(admin)(events.get, { params: { id: event.id } })).body;
  await as(admin)(events.update, {
    params: { id: event.id },
    body: { version: now.version, modificationMode: "never" },
  });
  expect(
    (await open(eventRegistrations.updateMine, { params: { token: guest.token }, body: { name: "X" } })).code,
  ).toBe("events.mayNotChange");
  const kept = (await open(eventRegistrations.exportMine, { params: { token: guest.token } })).body as {
    registration: object;
    mails: object[];
    log: object[];
  };
  expect(kept).toMatchObject({
    registration: { email: guest.email, name: "Gustav Guest" },
    agreedNotice: { version: 1, text: event.privacyNotice },
    checkIns: [{ direction: "in" }],
  });
  expect(JSON.stringify(kept)).not.toMatch(/[Hh]ash|Ada Admin/);
  await db
    .updateTable("events")
    .set({ startsAt: sql`now() + interval '300 hours'`, endsAt: sql`now() + interval '302 hours'` })
    .where("id", "=", event.id)
    .execute();
  expect((await open(eventRegistrations.eraseMine, { params: { token: guest.token } })).status).toBe(204);
  expect([
    (await open(eventRegistrations.mine, { params: { token: guest.token } })).status,
    (await maker.mailsTo(guest.email)).length,
    await maker.stateOf(next.id),
  ]).toEqual([404, 0, "offered"]);
  expect((await open(eventRegistrations.mine, { params: { token: "made-up-token" } })).status).toBe(404);
});

test("check-in: by name, twice, undone, from a device that was offline; only who is confirmed, only on this event", async () => {
  const [event, other] = [await maker.published(admin, { capacity: 1 }), await maker.published(admin)];
  const [guest, waiting] = [await maker.guest(event), await maker.guest(event)];
  const at = new Date(Date.now() - 600_000).toISOString();
  const both = await Promise.all(
    [1, 2, 3].map(() =>
      as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: { device: "door", at } }),
    ),
  );
  expect(both.map(({ body }) => body.outcome).toSorted()).toEqual(["already", "already", "checked_in"]);
  expect(both[0]?.body.registration.attendedAt).toBe(at);
  expect((await as(admin)(eventRegistrations.undoCheckIn, { params: { id: guest.id } })).body.attendedAt).toBeNull();
  expect((await as(admin)(eventRegistrations.undoCheckIn, { params: { id: guest.id } })).status).toBe(200);
  const future = (
    await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: { at: "2099-01-01T00:00:00Z" } })
  ).body;
  expect(Math.abs(Date.parse(future.registration.attendedAt as string) - Date.now())).toBeLessThan(10_000);
  expect(
    (
      await db
        .selectFrom("eventCheckIns")
        .where("registrationId", "=", guest.id)
        .select("direction")
        .orderBy("id")
        .execute()
    ).map(({ direction }) => direction),
  ).toEqual(["in", "undo", "in"]);
  expect((await as(admin)(eventRegistrations.checkIn, { params: { id: waiting.id }, body: {} })).body.outcome).toBe(
    "not_confirmed",
  );
  const { ticket } = (await open(eventRegistrations.mine, { params: { token: guest.token } })).body;
  expect(
    (
      await as(admin)(eventRegistrations.checkInByTicket, {
        params: { id: other.id },
        body: { ticket: ticket as string },
      })
    ).status,
  ).toBe(404);
  expect(
    (await as(admin)(eventRegistrations.list, { params: { id: event.id }, query: { attended: true } })).body.total,
  ).toBe(1);
});

test("by hand: over capacity only when said, one each, with or without a mail", async () => {
  const event = await maker.published(admin, { capacity: 1 });
  const add = (body: object) =>
    as(admin)(eventRegistrations.add, {
      params: { id: event.id },
      body: { name: "Hanna Hand", email: `hand-${randomUUID()}@example.com`, ...body },
    });
  const first = (await add({ notify: false })).body;
  expect([first.state, first.source, await maker.mailsTo(first.email)]).toEqual(["confirmed", "admin", []]);
  expect((await add({})).code).toBe("events.noSeat");
  expect((await add({ overCapacity: true })).body.state).toBe("confirmed");
  expect((await add({ state: "waitlisted" })).body).toMatchObject({ state: "waitlisted", waitlistPosition: 1 });
  expect((await add({ email: first.email, overCapacity: true })).code).toBe("events.alreadyRegistered");
  expect((await as(admin)(events.get, { params: { id: event.id } })).body.counts).toMatchObject({
    confirmed: 2,
    seatsTaken: 2,
    waitlisted: 1,
  });
  await as(admin)(eventRegistrations.cancel, { params: { id: event.id }, body: { ids: [first.id], notify: false } });
  const { total, reachable } = (await as(admin)(eventRegistrations.list, { params: { id: event.id } })).body;
  const { sent } = (
    await as(admin)(eventRegistrations.sendMessage, {
      params: { id: event.id },
      body: { filter: {}, subject: "Shoes", text: "Bring them." },
    })
  ).body;
  expect([total, reachable, sent]).toEqual([3, 2, 2]);
});

test("export: every row, answers under their labels, no formulas; only for admins", async () => {
  expect(["=1+1", "+47 1", "-2", "@x", " =cmd", "\t=x", "＝1", "plain", 'a,b "c"', 12].map(csvCell)).toEqual([
    "'=1+1",
    "'+47 1",
    "'-2",
    "'@x",
    "' =cmd",
    '"\'\t=x"',
    "'＝1",
    "plain",
    '"a,b ""c"""',
    "12",
  ]);
  const question = { id: randomUUID(), label: "Diet, please", kind: "line" as const };
  const event = await maker.published(admin, { questions: [question] });
  await maker.guest(event, { name: "=HYPERLINK(1)", answers: { [question.id]: 'none "at all"' } });
  await Promise.all(Array.from({ length: 20 }, () => maker.guest(event)));
  const csv = await app.inject({
    url: registrationsExportPath(event.id, "csv"),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect([csv.statusCode, csv.headers["content-disposition"], csv.body.trim().split("\r\n").length]).toEqual([
    200,
    `attachment; filename="${event.slug}.csv"`,
    22,
  ]);
  expect(csv.body).toContain(`'=HYPERLINK(1)`);
  expect(csv.body).toContain('"none ""at all"""');
  expect(csv.body).toContain('"Diet, please"');
  const xlsx = await app.inject({
    url: registrationsExportPath(event.id, "xlsx"),
    headers: { authorization: `Bearer ${admin.token}` },
  });
  const parts = Object.entries(unzipSync(xlsx.rawPayload)).map(
    ([name, bytes]) => [name, Buffer.from(bytes).toString("utf8")] as const,
  );
  expect(parts.some(([, text]) => text.includes("=HYPERLINK(1)"))).toBe(true);
  expect(parts.every(([, text]) => !/<f>/.test(text))).toBe(true);
  for (const [who, status] of [
    [null, 401],
    [learner, 403],
  ] as const) {
    expect(
      (
        await app.inject({
          url: registrationsExportPath(event.id, "csv"),
          headers: who ? { authorization: `Bearer ${who.token}` } : {},
        })
      ).statusCode,
    ).toBe(status);
  }
});

test("after their days people are forgotten, single answers sooner; the figures stay", async () => {
  const [short, long] = [
    { id: randomUUID(), label: "Diet", kind: "line" as const, retentionDays: 5 },
    { id: randomUUID(), label: "Job", kind: "line" as const },
  ];
  const event = await maker.published(admin, { questions: [short, long], retentionDays: 30 });
  const guest = await maker.guest(event, { answers: { [short.id]: "vegan", [long.id]: "nurse" } });
  await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: {} });
  await endNow(event.id, 6);
  await purgeGuests.work(services, {});
  expect((await open(eventRegistrations.mine, { params: { token: guest.token } })).body.answers).toEqual({
    [long.id]: "nurse",
  });
  await endNow(event.id, 31);
  await purgeGuests.work(services, {});
  await purgeGuests.work(services, {});
  const [row] = (await as(admin)(eventRegistrations.list, { params: { id: event.id } })).body.items;
  expect(row).toMatchObject({
    name: "",
    email: "",
    company: "",
    answers: {},
    userId: null,
    state: "confirmed",
    purgedAt: expect.any(String),
    attendedAt: expect.any(String),
  });
  expect([
    await maker.mailsTo(guest.email),
    (await open(eventRegistrations.mine, { params: { token: guest.token } })).status,
  ]).toEqual([[], 404]);
  const { rows } = await services.pool.query<{ found: string }>(
    `select string_agg(t::text, ' ') as found from (select to_jsonb(r) as t from event_registrations r union all select to_jsonb(l) from event_registration_log l union all select to_jsonb(m) from mails m) x`,
  );
  expect(rows[0]?.found).not.toMatch(new RegExp(`${guest.email}|nurse|vegan`));
});

test("from guest to learner: invited, attached once the mailbox is proven, enrolled after attendance", async () => {
  const event = await maker.published(admin, { followUpCourseId: course.id, followUpCompanyId: company.id });
  const [guest, absent] = [await maker.guest(event), await maker.guest(event)];
  await as(admin)(eventRegistrations.checkIn, { params: { id: guest.id }, body: {} });
  expect(
    (
      await as(admin)(eventRegistrations.invite, {
        params: { id: event.id },
        body: { ids: [guest.id, absent.id], companyId: company.id },
      })
    ).body,
  ).toEqual({ invited: 2, already: 0 });
  const userOf = (email: string) =>
    db.selectFrom("users").where("email", "=", email).select(["id", "email"]).executeTakeFirstOrThrow();
  const enrolled = async (email: string) =>
    (await as(admin)(courses.enrolments, { query: { userId: (await userOf(email)).id, courseId: course.id } })).body
      .total;
  const before = await enrolled(absent.email);
  await db
    .deleteFrom("enrolments")
    .where("userId", "=", (await userOf(guest.email)).id)
    .execute();
  await db
    .updateTable("users")
    .set({ emailVerified: true })
    .where("email", "in", [guest.email, absent.email])
    .execute();
  await db
    .transaction()
    .execute(async (tx) => expect(await attachRegistrations(tx, await userOf(guest.email))).toBe(1));
  expect(await enrolled(guest.email)).toBe(0);
  await endNow(event.id);
  await linkAccounts.work(services, {});
  await linkAccounts.work(services, {});
  expect([await enrolled(guest.email), await enrolled(absent.email)]).toEqual([1, before]);
  expect((await maker.rowOf(absent.email)).userId).toBe((await userOf(absent.email)).id);
  expect((await as(admin)(learners.list, { query: { q: guest.email } })).body.total).toBe(1);
});
