import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { certificates } from "#shared/certificates/certificates.ts";
import { completions } from "#shared/completions/completions.ts";
import { paths } from "#shared/paths/paths.ts";
import { createPathCertifier } from "#test/pathCertificates.ts";
import { stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { start } from "#test/start.ts";

// What becomes of the certificate of a path when its completion is taken back, repeated, or older than the design

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createPathCertifier(server, admin);
const { call, work, publish, walk, assign, complete, mine, room, newest, switchOn, rowsOf, certified, takeBack } =
  tester;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());

test("a completion that is taken back revokes nothing, and the admin's list says so", async () => {
  const { ada, lessons, pathId, certificate } = await certified();
  await takeBack(ada, lessons[1] as string);
  expect((await mine(ada, pathId)).completedAt).toBe(null);
  const listed = async (takenBack?: true) =>
    bodyOf(await call(certificates.list, { query: { pathId, ...(takenBack && { takenBack: "true" }) } })).items;
  expect(await listed(true)).toMatchObject([{ id: certificate.id, state: "valid", takenBackAt: expect.any(String) }]);
  expect((await as(null)(certificates.verify, { params: { number: certificate.number } })).body?.state).toBe("valid");
  const company = { id: certificate.companyId };
  await complete(ada, company.id, lessons[1] as string);
  expect((await mine(ada, pathId)).completedAt).toEqual(expect.any(String));
  const all = await listed();
  expect(all.map(({ takenBackAt }) => takenBackAt === null)).toEqual([true, false]);
  const revoked = await call(certificates.revoke, {
    params: { id: certificate.id },
    body: { reason: "Completion taken back" },
  });
  expect(bodyOf(revoked)).toMatchObject({ state: "revoked" });
});

test("a step that was done under an earlier version counts with the course of then", async () => {
  const { company, ada, lessons } = await room(3);
  const [one, two, three] = lessons as [string, string, string];
  const first = stepOf(one);
  const pathId = await walk([first, stepOf(two)], [ada]);
  await switchOn(pathId);
  await complete(ada, company.id, one);
  await publish(pathId, [{ ...first, courseIds: [three] }, stepOf(two)], "move");
  await complete(ada, company.id, two);
  expect(await rowsOf(pathId)).toMatchObject([
    {
      facts: {
        pathVersion: 2,
        steps: 2,
        courses: ["Test course", "Test course"],
        rule: "Every step is completed: “Test course”; “Test course”.",
      },
    },
  ]);
});

test("an undone decision leaves the certificate of the path as if nothing had happened", async () => {
  const { ada, lessons, pathId, certificate } = await certified();
  await takeBack(ada, lessons[1] as string);
  const { id } = await db
    .selectFrom("completionDecisions")
    .innerJoin("enrolments", "enrolments.id", "completionDecisions.enrolmentId")
    .where("enrolments.courseId", "=", lessons[1] as string)
    .select("completionDecisions.id")
    .executeTakeFirstOrThrow();
  bodyOf(await call(completions.undo, { params: { id } }));
  await work();
  expect((await mine(ada, pathId)).completedAt).toEqual(expect.any(String));
  expect(await rowsOf(pathId)).toMatchObject([{ number: certificate.number, takenBackAt: null, revokedAt: null }]);
});

test("who is put on a path again and does nothing gets no second certificate", async () => {
  const { ada, lessons, pathId, certificate } = await certified();
  const again = async () => {
    bodyOf(await call(paths.withdraw, { params: { id: pathId }, body: { userIds: [ada.user.id] } }));
    await work();
    await assign(pathId, [ada]);
  };
  await again();
  expect((await mine(ada, pathId)).completedAt).toEqual(expect.any(String));
  expect(await rowsOf(pathId)).toMatchObject([{ number: certificate.number, takenBackAt: null }]);
  await publish(pathId, [stepOf(lessons[1] as string)]);
  await again();
  expect((await rowsOf(pathId)).map(({ facts }) => facts)).toMatchObject([{ pathVersion: 1 }, { pathVersion: 2 }]);
});

test("earlier completions of a path get certificates with their own day, never twice", async () => {
  const { company, ada, bo, lessons } = await room(1);
  const pathId = await walk([stepOf(lessons)], [ada, bo]);
  await complete(ada, company.id, lessons[0] as string);
  const missing = { params: { pathId } };
  expect((await call(certificates.issueMissingOfPath, missing)).code).toBe("certificates.off");
  expect(await switchOn(pathId)).toMatchObject({ issued: 0, missing: 1 });
  // Computing the path again issues nothing: only new completions get one by themselves.
  await db
    .insertInto("pathChanges")
    .columns(["enrolmentId", "priority"])
    .expression(
      db
        .selectFrom("pathEnrolments")
        .where("pathId", "=", pathId)
        .select(["id", sql<number>`1`.as("priority")]),
    )
    .execute();
  await work();
  expect(await rowsOf(pathId)).toEqual([]);
  await db
    .updateTable("pathEnrolments")
    .set({ completedAt: "2025-02-28T12:00:00Z" })
    .where("pathId", "=", pathId)
    .where("userId", "=", ada.user.id)
    .execute();
  for (let times = 0; times < 2; times++) {
    bodyOf(await call(certificates.issueMissingOfPath, missing));
    await expect.poll(async () => (await rowsOf(pathId)).length, { timeout: 20_000 }).toBe(1);
  }
  expect(await newest(ada)).toMatchObject({ completedOn: "2025-02-28", validUntil: "2026-02-28", state: "expired" });
  expect(bodyOf(await call(certificates.pathDesign, missing))).toMatchObject({ issued: 1, missing: 0 });
});
