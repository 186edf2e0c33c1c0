import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { endSessions } from "#server/auth/service.ts";
import { purgeExpiredRecords } from "#server/privacy/jobs.ts";
import { auth } from "#shared/auth/auth.ts";
import { companies } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { player, SESSION_HEADER } from "#shared/player/player.ts";
import { privacy } from "#shared/privacy/privacy.ts";
import { startErasureServer } from "#test/erasureFixture.ts";
import { PASSWORD } from "#test/password.ts";

const { as, make, db, services, lines, findInTables, findInFiles, createActivePerson, createClassroom } =
  await startErasureServer();

for (const policy of ["delete", "anonymise", "retain"] as const) {
  test(`leaves no trace of a person under the policy "${policy}"`, async () => {
    const classroom = await createClassroom(policy);
    const name = `Zenobia ${policy.slice(0, 1).toUpperCase()}${randomUUID().slice(0, 8)}`;
    const person = await createActivePerson(classroom, name);
    await as(classroom.admin)(companies.update, {
      params: { id: classroom.company.id },
      body: { contactName: name, contactEmail: person.email, version: classroom.company.version },
    });
    expect((await findInTables(person.words)).length).toBeGreaterThan(12);
    const before = (await as(classroom.admin)(companies.get, { params: { id: classroom.company.id } })).body;
    const preview = (await as(person)(privacy.preview)).body;
    const { status, body: receipt } = await as(person)(privacy.erase, { body: {} });
    expect(status).toBe(200);
    const counts = (list: typeof preview.holdings) => list.map(({ key, rows, fate }) => [key, rows, fate]);
    expect(counts(receipt.holdings)).toEqual(counts(preview.holdings));
    expect(await findInTables(person.words)).toEqual([]);
    expect(findInFiles(person.words)).toEqual([]);
    expect(lines.filter((line) => person.words.some((word) => line.includes(word)))).toEqual([]);
    // The statistics of the company stay unchanged, unless its policy is to delete results.
    const after = (await as(classroom.admin)(companies.get, { params: { id: classroom.company.id } })).body;
    expect(after.completed).toBe(policy === "delete" ? 0 : before.completed);
    expect(receipt.retainedRecords.length).toBe(policy === "retain" ? 1 : 0);
    const records = await db
      .selectFrom("retainedTrainingRecords")
      .where("companyId", "=", classroom.company.id)
      .selectAll()
      .execute();
    expect(records.map(({ id, course, scorePercent }) => [id, course, scorePercent])).toEqual(
      receipt.retainedRecords.map(({ id, course }) => [id, course, 80]),
    );
    // Invalid immediately: id token, course session, invitation and password.
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
          body: { name, password: PASSWORD },
        })
      ).status,
    ).toBe(404);
    expect(await as(null)(auth.register, { body: { name, email: person.email, password: PASSWORD } })).toMatchObject({
      status: 422,
      code: "auth.codeRequired",
    });
    // The same call by an admin returns the same receipt.
    expect((await as(classroom.admin)(privacy.erase, { body: { userId: person.user.id } })).body).toEqual(receipt);
  });
}

test("deletes unfinished enrolments under every policy", async () => {
  const classroom = await createClassroom("retain");
  const person = await createActivePerson(classroom, "Unfinished Ulla", false);
  const { body } = await as(person)(privacy.erase, { body: {} });
  expect(body.retainedRecords).toEqual([]);
  expect(
    await db
      .selectFrom("enrolments")
      .where("companyId", "=", classroom.company.id)
      .where("userId", "is", null)
      .selectAll()
      .execute(),
  ).toEqual([]);
});

test("lets an admin erase a person, with one receipt for concurrent calls", async () => {
  const classroom = await createClassroom("anonymise");
  const person = await createActivePerson(classroom, "Double Dora");
  const colleague = await make.learner(classroom.company.accessCode);
  expect((await as(colleague)(privacy.erase, { body: { userId: person.user.id } })).status).toBe(403);
  expect((await as(colleague)(privacy.preview, { query: { userId: person.user.id } })).status).toBe(403);
  expect((await as(classroom.admin)(privacy.erase, { body: { userId: randomUUID() } })).status).toBe(404);
  const replies = await Promise.all(
    [1, 2].map(() => as(classroom.admin)(privacy.erase, { body: { userId: person.user.id } })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(replies[0]?.body).toEqual(replies[1]?.body);
  expect(replies[0]?.body.by).toBe("admin");
  const log = await db
    .selectFrom("auditEntries")
    .where("action", "=", "privacy.erase")
    .where("actorId", "=", classroom.admin.user.id)
    .select("details")
    .execute();
  expect(log).toEqual([{ details: { receipt: replies[0]?.body.id, own: false } }]);
  expect((await as(colleague)(auth.me)).status).toBe(200);
});

test("keeps nothing of the activity tree with an anonymous result", async () => {
  const classroom = await createClassroom("anonymise");
  const person = await createActivePerson(classroom, "Sequenced Sam");
  const { id } = await db
    .selectFrom("attempts")
    .where("userId", "=", person.user.id)
    .select("id")
    .executeTakeFirstOrThrow();
  await sql`update attempts set sequencing = '{"state": {}}' where id = ${id}`.execute(db);
  await as(classroom.admin)(privacy.erase, { body: { userId: person.user.id } });
  expect(
    await db.selectFrom("attempts").where("id", "=", id).select(["userId", "sequencing"]).executeTakeFirstOrThrow(),
  ).toEqual({ userId: null, sequencing: null });
});

test("requires recent authentication to erase oneself", async () => {
  const { learner } = await make.classroom();
  await db
    .updateTable("authSessions")
    .set({ createdAt: sql`now() - interval '11 minutes'` })
    .where("userId", "=", learner.user.id)
    .execute();
  expect(await as(learner)(privacy.erase, { body: {} })).toMatchObject({ status: 403, code: "auth.reauthRequired" });
  expect((await as(await make.signIn(learner.user.email))(privacy.erase, { body: {} })).status).toBe(200);
});

test("never erases the last admin", async () => {
  await db.updateTable("users").set({ status: "suspended" }).where("role", "=", "admin").execute();
  const { admin, course, company } = await make.classroom();
  expect((await as(admin)(privacy.preview)).body.refused).toBe("privacy.lastAdmin");
  expect(await as(admin)(privacy.erase, { body: {} })).toMatchObject({
    status: 409,
    code: "privacy.lastAdmin",
    body: { error: "You are the last admin. Invite another one under Settings, Admins, before you delete your data." },
  });
  expect((await as(admin)(auth.me)).status).toBe(200);
  const second = await make.admin();
  const replies = await Promise.all([admin, second].map((person) => as(person)(privacy.erase, { body: {} })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const remaining = replies[0]?.status === 409 ? admin : second;
  const again = await make.signIn(remaining.user.email);
  expect((await as(again)(courses.get, { params: { id: course.id } })).status).toBe(200);
  expect((await as(again)(companies.get, { params: { id: company.id } })).status).toBe(200);
});

test("resumes an interrupted erasure and deletes expired training records", async () => {
  const classroom = await createClassroom("retain");
  const person = await createActivePerson(classroom, "Broken Off");
  await endSessions(db, [person.user.id]);
  const { body } = await as(classroom.admin)(privacy.erase, { body: { userId: person.user.id } });
  expect(body.retainedRecords).toHaveLength(1);
  const record = body.retainedRecords[0] as { id: string; until: string };
  expect(record.until.slice(0, 4)).toBe(String(new Date().getUTCFullYear() + 3));
  const countRecords = async () =>
    (await db.selectFrom("retainedTrainingRecords").where("id", "=", record.id).select("id").execute()).length;
  await purgeExpiredRecords.work(services, {} as never);
  expect(await countRecords()).toBe(1);
  await db
    .updateTable("retainedTrainingRecords")
    .set({ keepUntil: "2020-01-01" })
    .where("id", "=", record.id)
    .execute();
  await purgeExpiredRecords.work(services, {} as never);
  expect(await countRecords()).toBe(0);
});

test("an admin who has invited people can be erased, and those people stay", async () => {
  const [admin] = [await make.admin(), await make.admin()];
  const { id: companyId } = await make.company(admin);
  const email = `${randomUUID()}@example.com`;
  await as(admin)(learners.invite, { body: { companyId, people: [{ email, name: "Invited" }] } });
  expect((await as(admin)(privacy.erase, { body: {} })).status).toBe(200);
  const { invitedBy } = await db
    .selectFrom("users")
    .where("email", "=", email)
    .select("invitedBy")
    .executeTakeFirstOrThrow();
  expect(invitedBy).toBeNull();
});
