import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { checkProof } from "#server/certificates/proofs/checkProof.ts";
import { checkTrees } from "#server/certificates/proofs/checkTrees.ts";
import { createCertifier, sampleDesign } from "#test/certificates.ts";
import { createPathTester, stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";
import { badges } from "#shared/badges/badges.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import type { ProofFile } from "#shared/certificates/proof.ts";
import { completions } from "#shared/completions/completions.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";

// Certificates of learning paths: one for each completion, in its transaction, with the facts of that moment

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const { newest } = createCertifier(server);
const { call, work, get, publish, walk, assign, complete, mine, enrolmentOf, room } = createPathTester(server, admin);
const jobs = await server.runJobs();
afterAll(() => jobs.stop());

const switchOn = async (pathId: string, changed: Partial<DesignContent> = {}, version: number | null = null) =>
  bodyOf(
    await call(certificates.savePathDesign, {
      params: { pathId },
      body: {
        enabled: true,
        version,
        content: { ...sampleDesign, verb: "completed the learning path", fields: ["completed", "courses"], ...changed },
      },
    }),
  );
const rowsOf = (pathId: string) =>
  db.selectFrom("certificates").where("pathId", "=", pathId).selectAll().orderBy("issuedAt").execute();
const completePath = async (person: Person, companyId: string, lessons: string[]) => {
  for (const lesson of lessons) await complete(person, companyId, lesson);
};
/** A path of two courses with a certificate, which the learner has completed. */
async function certified(title = "Ready for the tower") {
  const { company, ada, bo, lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  const first = stepOf(one);
  const pathId = await walk([first, stepOf(two, { after: [first.id] })], [ada], title);
  await switchOn(pathId);
  await completePath(ada, company.id, lessons);
  const certificate = await newest(ada);
  if (!certificate) throw new Error("no certificate");
  return { company, ada, bo, lessons, pathId, certificate };
}
const proofOf = async (person: Person, id: string) => {
  const ask = () => as(person)(certificates.proof, { params: { id } });
  await expect.poll(async () => (await ask()).status, { timeout: 20_000 }).toBe(200);
  return bodyOf(await ask()) as unknown as ProofFile;
};
/** Starts the course over, which takes its completion back. */
async function takeBack(person: Person, courseId: string) {
  const { id } = (await enrolmentOf(person, courseId)) as { id: string };
  const body = { reason: "Completed by mistake", attemptNo: 1, status: "completed" as const };
  bodyOf(await call(completions.restart, { params: { id }, body }));
  await work();
}

test("the last course of a path gives its certificate, and the public page says what it was", async () => {
  const { company, ada, bo, lessons } = await room(4);
  const [one, two, three, four] = lessons as [string, string, string, string];
  const first = stepOf(one);
  const choice = stepOf([two, three, four], { after: [first.id], needed: 2, title: "What fits" });
  const pathId = await walk([first, choice], [ada, bo], "Ready for the tower");
  await switchOn(pathId, { months: 6 });
  const offered = { params: { pathId } };
  expect(bodyOf(await as(ada)(certificates.pathOffer, offered))).toEqual({ earned: null, offer: { months: 6 } });
  await completePath(ada, company.id, [one, four]);
  expect(await rowsOf(pathId)).toEqual([]);
  await complete(ada, company.id, two);
  const { completedAt } = await mine(ada, pathId);
  const certificate = await newest(ada);
  expect(certificate).toMatchObject({
    kind: "path",
    pathId,
    courseId: null,
    course: "Ready for the tower",
    courseVersion: 1,
    completedOn: completedAt?.slice(0, 10),
    state: "valid",
    scorePercent: null,
    takenBackAt: null,
  });
  expect(bodyOf(await as(ada)(certificates.pathOffer, offered)).earned?.id).toBe(certificate?.id);
  expect((await as(bo)(certificates.pathOffer, offered)).body.earned).toBe(null);
  expect(
    (await as(null)(certificates.verify, { params: { number: certificate?.number as string } })).body,
  ).toMatchObject({
    kind: "path",
    course: "Ready for the tower",
    courseVersion: 1,
    rule: "Every step is completed: “Test course”; 2 of “Test course”, “Test course”, “Test course”.",
    courses: ["Test course", "Test course", "Test course"],
    elsewhere: [],
    name: null,
  });
  // Nothing more is issued when steps are computed again.
  await complete(ada, company.id, three);
  await work();
  expect(await rowsOf(pathId)).toHaveLength(1);
});

test("what was issued stays as it was when path, courses and design change", async () => {
  const { company, ada, bo, lessons, pathId } = await certified("Before");
  const before = await rowsOf(pathId);
  const { version } = await get(pathId);
  bodyOf(await call(paths.update, { params: { id: pathId }, body: { title: "After", version } }));
  await switchOn(pathId, { title: "Diploma" }, 1);
  await publish(pathId, [stepOf(lessons[0] as string)], "move");
  await assign(pathId, [bo]);
  await complete(bo, company.id, lessons[0] as string);
  expect((await rowsOf(pathId)).slice(0, 1)).toMatchObject(
    before.map(({ facts, number, salt }) => ({ facts, number, salt })),
  );
  expect(await newest(ada)).toMatchObject({ course: "Before", courseVersion: 1, title: "Certificate of completion" });
  expect(await newest(bo)).toMatchObject({ course: "After", courseVersion: 2, title: "Diploma" });
});

test("proof, badge and PDF of a path certificate are checked as those of courses", async () => {
  const { ada, certificate } = await certified();
  const proof = await proofOf(ada, certificate.id);
  const { lines, problems } = checkProof(proof);
  expect(problems).toEqual([]);
  expect(lines).toContain("learning path: Ready for the tower, version 1");
  expect(lines.filter((line) => line === "with the course: Test course")).toHaveLength(2);
  for (const facts of [
    { ...proof.facts, courses: ["Brain surgery"] },
    { ...proof.facts, format: "lyceum-certificate-1" },
    { ...proof.facts, grade: "A" },
  ])
    expect(checkProof({ ...proof, facts } as ProofFile).problems).toHaveLength(1);
  expect((await checkTrees(db)).problems).toEqual([]);
  const fetchAs = (url: string) => server.app.inject({ url, headers: { authorization: `Bearer ${ada.token}` } });
  const token = (await fetchAs(`${badges.get.path.replace(":id", certificate.id)}?format=jwt`)).body;
  const payload = JSON.parse(Buffer.from(token.split(".")[1] as string, "base64url").toString()) as {
    credentialSubject: { achievement: object };
  };
  expect(payload.credentialSubject.achievement).toMatchObject({
    achievementType: "LearningProgram",
    name: "Ready for the tower",
    version: "1",
  });
  expect((await fetchAs(certificates.pdf.path.replace(":id", certificate.id))).statusCode).toBe(200);
});

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

test("after a change of name the certificate of a path is issued again with its facts", async () => {
  const { ada, certificate, lessons } = await certified();
  const { version } = bodyOf(await call(learners.get, { params: { id: ada.user.id } }));
  bodyOf(await call(learners.update, { params: { id: ada.user.id }, body: { name: "Ada Dahl", version } }));
  const made = bodyOf(await call(certificates.reissue, { params: { id: certificate.id } }));
  expect(made).toMatchObject({
    name: "Ada Dahl",
    kind: "path",
    course: certificate.course,
    completedOn: certificate.completedOn,
    state: "valid",
  });
  expect(checkProof(await proofOf(ada, made.id)).problems).toEqual([]);
  await takeBack(ada, lessons[1] as string);
  expect(bodyOf(await call(certificates.get, { params: { id: made.id } })).takenBackAt).toEqual(expect.any(String));
});

test("the holder of a path certificate gets one mail with its number", async () => {
  const { ada, certificate } = await certified();
  const sent = await db
    .selectFrom("mails")
    .where("userId", "=", ada.user.id)
    .where("reason", "=", "certificates.issued")
    .select(["subject", "body"])
    .execute();
  expect(sent).toEqual([
    {
      subject: "Your certificate: Ready for the tower",
      body: expect.stringContaining(`/verify/${certificate.number}`),
    },
  ]);
});

test("a path whose courses were all completed elsewhere gives no certificate", async () => {
  const { company, ada, lessons } = await room(2);
  const [one, two] = lessons as [string, string];
  const record = async (courseId: string) => {
    bodyOf(await call(courses.assign, { params: { id: courseId }, body: { userIds: [ada.user.id] } }));
    await complete(ada, company.id, courseId);
    const { id } = await db
      .selectFrom("attempts")
      .where("courseId", "=", courseId)
      .where("userId", "=", ada.user.id)
      .select("id")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("externalCompletions")
      .values({
        companyId: company.id,
        personId: ada.user.id,
        courseId,
        title: "",
        completedOn: "2025-01-01",
        fileName: "x.csv",
        rowNumber: 1,
        attemptId: id,
      })
      .execute();
  };
  await record(one);
  const pathId = await walk([stepOf(one)], []);
  await switchOn(pathId);
  await assign(pathId, [ada]);
  expect((await mine(ada, pathId)).completedAt).toEqual(expect.any(String));
  expect(await rowsOf(pathId)).toEqual([]);
  expect(bodyOf(await call(certificates.pathDesign, { params: { pathId } }))?.missing).toBe(0);
  const both = await walk([stepOf(one), stepOf(two)], [ada]);
  await switchOn(both);
  await complete(ada, company.id, two);
  expect(await rowsOf(both)).toMatchObject([{ facts: { courses: ["Test course"], elsewhere: ["Test course"] } }]);
});
