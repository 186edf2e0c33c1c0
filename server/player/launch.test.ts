import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { committer, openPart, setValue } from "#test/commits.ts";
import { courses } from "#shared/courses/courses.ts";
import { player } from "#shared/player/player.ts";
import { start } from "#test/start.ts";

const { as, make, content, db } = await start();
const send = committer(as);

test("explains why a withdrawn, archived or unassigned course cannot be launched", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const launch = () =>
    as(learner)(player.launch, {
      params: { companyId: company.id, courseId: course.id },
      body: { clientId: randomUUID() },
    });
  const detail = async () => (await as(admin)(courses.get, { params: { id: course.id } })).body;
  await as(admin)(courses.withdraw, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  expect(await launch()).toMatchObject({ status: 409, code: "player.withdrawn" });
  await as(admin)(courses.assign, { params: { id: course.id }, body: { userIds: [learner.user.id] } });
  expect((await launch()).status).toBe(200);
  await as(admin)(courses.setStatus, {
    params: { id: course.id },
    body: { status: "archived", version: (await detail()).version },
  });
  expect(await launch()).toMatchObject({ status: 409, code: "player.courseArchived" });
  const other = await make.course(admin);
  expect(
    await as(learner)(player.launch, {
      params: { companyId: company.id, courseId: other.id },
      body: { clientId: randomUUID() },
    }),
  ).toMatchObject({ status: 404, code: "player.notAssigned" });
});

test("leaves previews of admins out of the reports", async () => {
  const { admin, company, course } = await make.classroom();
  const session = await make.launch(admin, company.id, course.id);
  expect(session.preview).toBe(true);
  await send(session, { events: [...openPart(), setValue(3, "cmi.core.lesson_status", "passed")] });
  const row = (await as(admin)(courses.list)).body.items.find(({ id }) => id === course.id);
  expect(row).toMatchObject({ completed: 0, inProgress: 0, learners: 1 });
});

test("serves package files only with a valid grant and within the package", async () => {
  const { learner, company, course } = await make.classroom();
  const session = await make.launch(learner, company.id, course.id);
  const files = new URL(session.shell).pathname.replace("/play/", "/files/");
  const page = await content.inject({ url: `${files}INDEX.html` });
  expect(page).toMatchObject({
    statusCode: 200,
    headers: { "content-type": "text/html", "x-content-type-options": "nosniff" },
  });
  expect(page.headers["content-security-policy"]).toBe(
    "sandbox allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads; " +
      "frame-ancestors 'self' http://localhost:1",
  );
  const part = await content.inject({ url: `${files}index.html`, headers: { range: "bytes=0-9" } });
  expect(part).toMatchObject({ statusCode: 206, body: "<!doctype " });
  expect(
    (await content.inject({ url: `${files}index.html`, headers: { "if-none-match": String(page.headers.etag) } }))
      .statusCode,
  ).toBe(304);
  expect(
    (await content.inject({ url: `${files}index.html`, headers: { "service-worker": "script" } })).statusCode,
  ).toBe(403);
  for (const path of [
    "../../secret",
    "..%2f..%2fsecret",
    "%2e%2e/%2e%2e/secret",
    "imsmanifest.xml%00.html",
    "..\\..\\secret",
  ]) {
    expect([path, (await content.inject({ url: files + path })).statusCode]).toEqual([path, 404]);
  }
  expect((await content.inject({ url: `${files.slice(0, -3)}xx/index.html` })).statusCode).toBe(404);
  expect((await content.inject({ url: "/api/me" })).statusCode).toBe(404);
});

test("opens a new attempt while values of earlier ones are folded", async () => {
  const { learner, company, course } = await make.classroom();
  const options = { newAttempt: true, takeOver: true };
  for (let attempt = 0; attempt < 2; attempt++) await make.launch(learner, company.id, course.id, options);
  await db.transaction().execute(async (tx) => {
    // Takes the lock that inserts of referring rows take.
    await tx.selectFrom("attempts").where("userId", "=", learner.user.id).select("id").forKeyShare().execute();
    const launched = make.launch(learner, company.id, course.id, options);
    expect(await Promise.race([launched.then(({ attemptNo }) => attemptNo), sleep(5000, "waits")])).toBe(3);
  });
});

test("a launch takes over the session of a lost window only if it has saved nothing", async () => {
  const { learner, company, course } = await make.classroom();
  const clientId = randomUUID();
  const launch = () => make.launch(learner, company.id, course.id, { clientId, orphan: true, takeOver: true });
  const first = await launch();
  const again = await launch();
  expect(again.sessionId).toBe(first.sessionId);
  expect((await send(again, { events: openPart() })).status).toBe(200);
  const next = await launch();
  expect(next.sessionId).not.toBe(first.sessionId);
  const otherWindow = await make.launch(learner, company.id, course.id, { orphan: true, takeOver: true });
  expect(otherWindow.sessionId).not.toBe(next.sessionId);
});
