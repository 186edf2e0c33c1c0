import { afterAll, expect, test } from "vitest";
import { checkProof } from "#server/certificates/proofs/checkProof.ts";
import { checkTrees } from "#server/certificates/proofs/checkTrees.ts";
import { badges } from "#shared/badges/badges.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import type { ProofFile } from "#shared/certificates/proof.ts";
import { courses } from "#shared/courses/courses.ts";
import { learners } from "#shared/learners/learners.ts";
import { paths } from "#shared/paths/paths.ts";
import { createPathCertifier } from "#test/pathCertificates.ts";
import { stepOf } from "#test/paths.ts";
import { bodyOf } from "#test/probes.ts";
import { type Person, start } from "#test/start.ts";

// Certificates of learning paths: one for each completion, in its transaction, with the facts of that moment

const server = await start({ SMTP_URL: "smtp://127.0.0.1:9" });
const { as, make, db } = server;
const admin = await make.admin();
const tester = createPathCertifier(server, admin);
const { call, work, get, publish, walk, assign, complete, mine, room, newest, switchOn, rowsOf, certified, takeBack } =
  tester;
const jobs = await server.runJobs();
afterAll(() => jobs.stop());
const proofOf = async (person: Person, id: string) => {
  const ask = () => as(person)(certificates.proof, { params: { id } });
  await expect.poll(async () => (await ask()).status, { timeout: 20_000 }).toBe(200);
  return bodyOf(await ask()) as unknown as ProofFile;
};

test("the last course of a path gives its certificate, which the public page explains", async () => {
  const { company, ada, bo, lessons } = await room(4);
  const [one, two, three, four] = lessons as [string, string, string, string];
  const first = stepOf(one);
  const choice = stepOf([two, three, four], { after: [first.id], needed: 2, title: "What fits" });
  const pathId = await walk([first, choice], [ada, bo], "Ready for the tower");
  await switchOn(pathId, { months: 6 });
  const offered = { params: { pathId } };
  expect(bodyOf(await as(ada)(certificates.pathOffer, offered))).toEqual({ earned: null, offer: { months: 6 } });
  for (const course of [one, four]) await complete(ada, company.id, course);
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
