import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { endSessions } from "#server/auth/service.ts";
import { purgeKept } from "#server/privacy/jobs.ts";
import { auth } from "#shared/auth.ts";
import { companies } from "#shared/companies.ts";
import { ALL_PREFERENCES, consents } from "#shared/consent.ts";
import { courses } from "#shared/courses.ts";
import { OBJECTS_PATH, upload } from "#shared/files.ts";
import { learners } from "#shared/learners.ts";
import { mails } from "#shared/mails.ts";
import { player, SESSION_HEADER } from "#shared/player.ts";
import { type ErasurePolicy, privacy } from "#shared/privacy.ts";
import { reports } from "#shared/reports.ts";
import { multipart } from "#test/client.ts";
import { createEventMaker } from "#test/events.ts";
import type { Person } from "#test/start.ts";
import { start } from "#test/start.ts";

const lines: string[] = [];
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const { app, as, make, db, services } = await start({}, (line) => lines.push(line));

/** Every cell of every table, outside the system's own schemas, that holds one of the words in any form. */
async function find(words: string[]) {
  const { rows } = await sql<{ schema: string; table: string; column: string }>`
    select table_schema::text as schema, table_name::text as table, column_name::text as column from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const found: string[] = [];
  for (const { schema, table, column } of rows) {
    const text = sql`case when pg_typeof(${sql.ref(column)}) = 'bytea'::regtype then encode(${sql.ref(column)}::text::bytea, 'escape') else ${sql.ref(column)}::text end`;
    const hits = await sql<{
      n: number;
    }>`select count(*)::int as n from ${sql.table(`${schema}.${table}`)} where ${sql.join(
      words.map((word) => sql`position(lower(${word}) in lower(${text})) > 0`),
      sql` or `,
    )}`.execute(db);
    if ((hits.rows[0]?.n ?? 0) > 0) found.push(`${schema}.${table}.${column}`);
  }
  return found;
}
const walk = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? walk(path) : [path];
  });
const inFiles = (words: string[]) =>
  walk(services.config.filesDir).filter((path) =>
    words.some((word) => path.includes(word) || readFileSync(path).includes(word)),
  );

type Room = { admin: Person; company: { id: string; accessCode: string; version: number }; course: { id: string } };
/** A person with something in every table, through the product's own doors. */
async function live(room: Room, name: string, complete = true) {
  const { admin, company, course } = room;
  const email = `ms-${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId: company.id, people: [{ email, name }] } });
  const letter = (await as(admin)(mails.list, { query: { q: email } })).body.items[0]?.body ?? "";
  const invitation = /invitation=([\w-]+)/.exec(letter)?.[1] as string;
  await as(null)(auth.acceptInvitation, {
    params: { token: invitation },
    body: { name, password: "correct horse battery" },
  });
  const person = await make.signIn(email);
  const session = await make.launch(person, company.id, course.id);
  const set = (seq: number, key: string, value: string) => ({
    seq,
    t: seq * 10,
    type: "scorm.set" as const,
    sco: "i1",
    key,
    value,
  });
  const commit = () =>
    as(null, { [SESSION_HEADER]: session.token })(player.commit, {
      params: { id: session.sessionId },
      body: {
        events: [
          { seq: 1, t: 1, type: "nav", sco: "i1" },
          { seq: 2, t: 2, type: "scorm.init", sco: "i1" },
          set(3, "cmi.suspend_data", `typed by ${email}`),
          set(4, "cmi.interactions.0.id", "q1"),
          set(5, "cmi.interactions.0.student_response", `I am ${name}`),
          set(6, "cmi.core.lesson_location", `page of ${email}`),
          set(7, "cmi.core.score.raw", "80"),
          ...(complete ? [set(8, "cmi.core.lesson_status", "completed")] : []),
          { seq: complete ? 9 : 8, t: 99, type: "scorm.commit", sco: "i1" },
        ],
      },
    });
  expect((await commit()).status).toBe(200);
  await as(person)(consents.record, { body: { status: "accept_all", preferences: ALL_PREFERENCES } });
  await as(admin)(reports.learner, { params: { id: person.user.id } });
  await as(admin)(learners.suspend, { body: { ids: [person.user.id], reason: `${name} is on leave` } });
  await as(admin)(learners.reactivate, { body: { ids: [person.user.id] } });
  const again = await make.signIn(email);
  return { ...again, email, name, invitation, session, words: [email, name, again.user.id] };
}
const inRoom = async (erasurePolicy: ErasurePolicy): Promise<Room> => {
  const room = await make.classroom();
  const company = (
    await as(room.admin)(companies.update, {
      params: { id: room.company.id },
      body: { erasurePolicy, retentionYears: 3, version: room.company.version },
    })
  ).body;
  return { ...room, company };
};
const sure = (value: string) => value.toUpperCase().slice(0, 1);

for (const policy of ["delete", "anonymise", "retain"] as const) {
  test(`erased with the policy "${policy}": no email, name or id is left in any table, file or line of the log`, async () => {
    const room = await inRoom(policy);
    const name = `Zenobia ${sure(policy)}${randomUUID().slice(0, 8)}`;
    const person = await live(room, name);
    await as(room.admin)(companies.update, {
      params: { id: room.company.id },
      body: { contactName: name, contactEmail: person.email, version: room.company.version },
    });
    expect((await find(person.words)).length).toBeGreaterThan(12);
    const before = (await as(room.admin)(companies.get, { params: { id: room.company.id } })).body;
    const told = (await as(person)(privacy.preview)).body;
    const { status, body: receipt } = await as(person)(privacy.erase, { body: {} });
    expect(status).toBe(200);
    const counts = (list: typeof told.holdings) => list.map(({ key, rows, fate }) => [key, rows, fate]);
    expect(counts(receipt.holdings)).toEqual(counts(told.holdings));
    expect(await find(person.words)).toEqual([]);
    expect(inFiles(person.words)).toEqual([]);
    expect(lines.filter((line) => person.words.some((word) => line.includes(word)))).toEqual([]);
    // Figures of the company stay as they were, unless it wants everything deleted.
    const after = (await as(room.admin)(companies.get, { params: { id: room.company.id } })).body;
    expect(after.completed).toBe(policy === "delete" ? 0 : before.completed);
    expect(receipt.retainedRecords.length).toBe(policy === "retain" ? 1 : 0);
    const records = await db
      .selectFrom("retainedTrainingRecords")
      .where("companyId", "=", room.company.id)
      .selectAll()
      .execute();
    expect(records.map(({ id, course, scorePercent }) => [id, course, scorePercent])).toEqual(
      receipt.retainedRecords.map(({ id, course }) => [id, course, 80]),
    );
    // Dead at once: the id token, the course window, the invitation, the password.
    expect((await as(person)(auth.me)).status).toBe(401);
    expect((await as(person)(privacy.erase, { body: {} })).status).toBe(401);
    expect(
      (
        await as(null, { [SESSION_HEADER]: person.session.token })(player.commit, {
          params: { id: person.session.sessionId },
          body: { events: [{ seq: 10, t: 100, type: "exit" }] },
        })
      ).status,
    ).toBe(401);
    expect((await as(null)(auth.invitation, { params: { token: person.invitation } })).status).toBe(404);
    expect(
      (
        await as(null)(auth.acceptInvitation, {
          params: { token: person.invitation },
          body: { name, password: "correct horse battery" },
        })
      ).status,
    ).toBe(404);
    expect(
      await as(null)(auth.register, { body: { name, email: person.email, password: "correct horse battery" } }),
    ).toMatchObject({ status: 422, code: "auth.codeRequired" });
    // The same call by an admin finds the same receipt.
    expect((await as(room.admin)(privacy.erase, { body: { userId: person.user.id } })).body).toEqual(receipt);
  });
}

test("what was not finished is no result: it goes, whatever the policy", async () => {
  const room = await inRoom("retain");
  const person = await live(room, "Unfinished Ulla", false);
  const { body } = await as(person)(privacy.erase, { body: {} });
  expect(body.retainedRecords).toEqual([]);
  expect(
    await db
      .selectFrom("enrolments")
      .where("companyId", "=", room.company.id)
      .where("userId", "is", null)
      .selectAll()
      .execute(),
  ).toEqual([]);
});

test("an admin erases somebody else; two calls at once give one receipt; unknown is 404, learners may not", async () => {
  const room = await inRoom("anonymise");
  const person = await live(room, "Double Dora");
  const colleague = await make.learner(room.company.accessCode);
  expect((await as(colleague)(privacy.erase, { body: { userId: person.user.id } })).status).toBe(403);
  expect((await as(colleague)(privacy.preview, { query: { userId: person.user.id } })).status).toBe(403);
  expect((await as(room.admin)(privacy.erase, { body: { userId: randomUUID() } })).status).toBe(404);
  const both = await Promise.all([1, 2].map(() => as(room.admin)(privacy.erase, { body: { userId: person.user.id } })));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0]?.body).toEqual(both[1]?.body);
  expect(both[0]?.body.by).toBe("admin");
  const log = await db
    .selectFrom("auditEntries")
    .where("action", "=", "privacy.erase")
    .where("actorId", "=", room.admin.user.id)
    .select("details")
    .execute();
  expect(log).toEqual([{ details: { receipt: both[0]?.body.id, own: false } }]);
  expect((await as(colleague)(auth.me)).status).toBe(200);
});

test("own data only soon after a sign-in; a fresh sign-in opens the way", async () => {
  const { learner } = await make.classroom();
  await db
    .updateTable("authSessions")
    .set({ createdAt: sql`now() - interval '11 minutes'` })
    .where("userId", "=", learner.user.id)
    .execute();
  expect(await as(learner)(privacy.erase, { body: {} })).toMatchObject({ status: 403, code: "auth.reauthRequired" });
  expect((await as(await make.signIn(learner.user.email))(privacy.erase, { body: {} })).status).toBe(200);
});

test("the last admin stays; of two who leave at once one stays; what an admin made for others stays without the name", async () => {
  await db.updateTable("users").set({ status: "suspended" }).where("role", "=", "admin").execute();
  const { admin, course, company } = await make.classroom();
  expect((await as(admin)(privacy.preview)).body.refused).toBe("privacy.lastAdmin");
  expect(await as(admin)(privacy.erase, { body: {} })).toMatchObject({
    status: 409,
    code: "privacy.lastAdmin",
    body: { error: "You are the last admin. Make somebody else an admin first, then delete your data." },
  });
  expect((await as(admin)(auth.me)).status).toBe(200);
  const second = await make.admin();
  const left = await Promise.all([admin, second].map((one) => as(one)(privacy.erase, { body: {} })));
  expect(left.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const stayed = left[0]?.status === 409 ? admin : second;
  const again = await make.signIn(stayed.user.email);
  expect((await as(again)(courses.get, { params: { id: course.id } })).status).toBe(200);
  expect((await as(again)(companies.get, { params: { id: company.id } })).status).toBe(200);
});

test("files of a person go at once, those of the company stay", async () => {
  const { admin, learner, company } = await make.classroom();
  const put = async (who: { token: string }, metadata: Record<string, string>) => {
    const path = `erasure/${randomUUID()}.png`;
    const { headers, body } = multipart({ metadata }, PNG);
    const reply = await app.inject({
      method: "POST",
      url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
      headers: { ...headers, authorization: `Bearer ${who.token}` },
      payload: body,
    });
    expect(reply.statusCode).toBe(200);
    return (await db.selectFrom("files").where("fullPath", "=", path).select("storageKey").executeTakeFirstOrThrow())
      .storageKey;
  };
  const portrait = await put(learner, { purpose: "avatar" });
  const cover = await put(admin, { purpose: "event_cover", companyId: company.id });
  const begun = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=half.png`,
    headers: {
      authorization: `Bearer ${learner.token}`,
      [upload.protocol]: "resumable",
      [upload.command]: "start",
      [upload.length]: "400000",
    },
    payload: JSON.stringify({ metadata: { purpose: "avatar" } }),
  });
  const { pathname, search } = new URL(String(begun.headers[upload.url]));
  await app.inject({
    method: "POST",
    url: pathname + search,
    headers: { authorization: `Bearer ${learner.token}`, [upload.command]: "upload", [upload.offset]: "0" },
    payload: Buffer.alloc(300_000),
  });
  const { body } = await as(learner)(privacy.erase, { body: {} });
  expect(body.files).toBe(1);
  await expect(services.storage.read(portrait)).rejects.toThrow();
  (await services.storage.read(cover)).destroy();
  expect(readdirSync(join(services.config.filesDir, "uploads"))).toEqual([]);
});

test("registrations for events go by the account and by its proven address; the seat goes to the next; an address that is not proven is somebody else's", async () => {
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
  expect(await find([learner.user.email, learner.user.id])).toEqual([]);
});

test("an erasure that broke off after the sign-out is made again; proof past its date goes at night", async () => {
  const room = await inRoom("retain");
  const person = await live(room, "Broken Off");
  await endSessions(db, [person.user.id]);
  const { body } = await as(room.admin)(privacy.erase, { body: { userId: person.user.id } });
  expect(body.retainedRecords).toHaveLength(1);
  const proof = body.retainedRecords[0] as { id: string; until: string };
  expect(proof.until.slice(0, 4)).toBe(String(new Date().getUTCFullYear() + 3));
  const there = async () =>
    (await db.selectFrom("retainedTrainingRecords").where("id", "=", proof.id).select("id").execute()).length;
  await purgeKept.work(services, {} as never);
  expect(await there()).toBe(1);
  await db.updateTable("retainedTrainingRecords").set({ keepUntil: "2020-01-01" }).where("id", "=", proof.id).execute();
  await purgeKept.work(services, {} as never);
  expect(await there()).toBe(0);
});
