import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recountLessons } from "#server/player/recountLessons.ts";
import { courses } from "#shared/courses/courses.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { lessonEvents } from "#test/lessons.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { mixedDraft, mixedRoom, storePackage } from "#test/mixedCourse.ts";
import { start } from "#test/start.ts";

const server = await start();
const { as, content, db, make, services } = server;
const send = committer(as);

const twoParts = {
  "imsmanifest.xml": manifest12(
    `<item identifier="i1" identifierref="r1"><title>Climb</title></item>
    <item identifier="i2" identifierref="r2"><title>Descend</title></item>`,
    `<resource identifier="r1" type="webcontent" adlcp:scormtype="sco" href="a.html"><file href="a.html"/></resource>
    <resource identifier="r2" type="webcontent" adlcp:scormtype="sco" href="b/b.html">
      <file href="b/b.html"/>
    </resource>`,
  ),
  "a.html": "<p>Climb</p>",
  "b/b.html": "<p>Descend</p>",
};

test("a package stands among lessons, and its part is tracked like that of any package", async () => {
  const { launch, lessonId, entryId, courseId, learner, admin } = await mixedRoom(server);
  const session = await launch();
  const sco = `${entryId}.i1`;
  expect(session.course.kind).toBe("mixed");
  expect(session.parts.map((part) => [part.sco, part.kind, part.title, part.depth])).toEqual([
    [lessonId, "lesson", "First lesson", 0],
    [sco, "scorm12", "The ladder", 0],
  ]);
  expect(session.values[sco]).toMatchObject({ "cmi.core.entry": "ab-initio" });
  const { body: read } = await send(session, {
    events: lessonEvents(lessonId, [{ type: "nav" }, { type: "lesson.end" }]),
  });
  expect(read.attempt).toMatchObject({ completion: "incomplete", progress: 50 });
  const { body } = await send(session, {
    events: [
      ...openPart(3, sco),
      setValue(5, "cmi.core.lesson_status", "passed", sco),
      setValue(6, "cmi.core.score.raw", "80", sco),
    ],
  });
  expect(body).toMatchObject({ ackSeq: 6, attempt: { completion: "complete", success: "passed", scorePercent: 80 } });
  expect((await launch()).current).toBe(sco);
  expect((await as(learner)(courses.mine)).body.items).toMatchObject([{ kind: "mixed", status: "completed" }]);
  expect((await as(admin)(courses.get, { params: { id: courseId } })).body).toMatchObject({ kind: "mixed", parts: 2 });
  expect(await recountLessons(db)).toEqual([]);
});

test("the content origin sends only files of packages of the version", async () => {
  const { launch, added } = await mixedRoom(server, twoParts);
  const session = await launch();
  expect(session.parts.map(({ title, depth, href }) => [title, depth, href])).toEqual([
    ["First lesson", 0, session.parts[0]!.sco],
    ["The ladder", 0, null],
    ["Climb", 1, `${added.id}/a.html`],
    ["Descend", 1, `${added.id}/b/b.html`],
  ]);
  const files = new URL(session.shell).pathname.replace("/play/", "/files/");
  const get = async (path: string) => {
    const { statusCode, body } = await content.inject({ url: `${files}${path}` });
    return [statusCode, statusCode === 200 ? body : ""];
  };
  expect(await get(`${added.id}/b/b.html`)).toEqual([200, "<p>Descend</p>"]);
  const other = await mixedRoom(server, twoParts);
  for (const path of [`${other.added.id}/a.html`, "a.html", `${randomUUID()}/a.html`, `${added.id}/../x`, added.id])
    expect(await get(path), path).toEqual([404, ""]);
  await rm(join(services.config.filesDir, "packages", added.id), { recursive: true });
  expect(await get(`${added.id}/a.html`)).toEqual([200, "<p>Climb</p>"]);
});

test("a package is replaced in its place, and learners in it keep what they did", async () => {
  const room = await mixedRoom(server);
  const { params, entryId, admin, learner, launch, moduleId } = room;
  const call = as(admin);
  const session = await launch();
  const sco = `${entryId}.i1`;
  await send(session, { events: [...openPart(1, sco), setValue(3, "cmi.core.lesson_location", "page 7", sco)] });
  const path = await storePackage(server, admin, twoParts);
  const { body: next } = await call(drafts.importPackage, { params, body: { path, name: "ladder-2.zip" } });
  expect(next).toMatchObject({ kind: "scorm12", fileName: "ladder-2.zip", parts: 2 });
  expect(next.warnings.map(({ code }) => code)).toEqual(["packages.neverReports"]);
  const again = await call(drafts.importPackage, { params, body: { path, name: "ladder-2.zip" } });
  expect(again.body.id).toBe(next.id);
  await call(drafts.change, { params, body: { kind: "replacePackage", id: entryId, packageId: next.id } });
  const { body: review } = await call(drafts.review, { params });
  expect(review).toMatchObject({ changed: [{ id: entryId }], added: [], removed: [], unchanged: 1 });
  expect((await call(drafts.publish, { params })).body).toEqual({ number: 2 });
  expect((await call(drafts.review, { params })).body).toMatchObject({ changed: [], unchanged: 2 });
  expect((await launch()).values[sco]).toMatchObject({ "cmi.core.lesson_location": "page 7" });
  // Without the package, the next version has lessons only.
  await call(drafts.change, { params, body: { kind: "removeLesson", id: entryId } });
  await call(drafts.publish, { params });
  expect((await call(courses.get, { params })).body).toMatchObject({ kind: "lessons", parts: 1 });
  const lesson = { id: entryId, title: "Back", minutes: null, packageId: next.id };
  const restored = await call(drafts.change, { params, body: { kind: "restoreLesson", lesson, moduleId, at: 0 } });
  expect(restored.body.modules[0]!.lessons[0]).toEqual(lesson);
  expect((await as(learner)(drafts.importPackage, { params, body: { path, name: "a.zip" } })).status).toBe(403);
});

test("a draft refuses packages of other courses and what is no package", async () => {
  const admin = await make.admin();
  const call = as(admin);
  const [mine, other] = [await mixedDraft(server, admin), await mixedDraft(server, admin)];
  const { params, moduleId, entryId } = mine;
  const foreign = { kind: "addPackage" as const, id: randomUUID(), title: "Foreign", moduleId, at: 0 };
  for (const packageId of [other.added.id, randomUUID()]) {
    const added = await call(drafts.change, { params, body: { ...foreign, packageId } });
    expect(added.status).toBe(404);
    const replaced = await call(drafts.change, { params, body: { kind: "replacePackage", id: entryId, packageId } });
    expect(replaced.status).toBe(404);
  }
  const taken = await call(drafts.importPackage, { params, body: { path: other.path, name: "taken.zip" } });
  expect(taken.status).not.toBe(200);
  const path = await storePackage(server, admin, { "notes.txt": "no course" });
  const refused = await call(drafts.importPackage, { params, body: { path, name: "notes.zip" } });
  expect(refused).toMatchObject({ status: 422, body: { code: "courses.packageRefused" } });
  const quiz = { kind: "changeQuiz" as const, id: entryId, settings: { passPercent: 70 } };
  expect((await call(drafts.change, { params, body: quiz })).status).toBe(409);
  const copy = { kind: "copyLesson" as const, id: randomUUID(), of: entryId, title: "Ladder again" };
  const copied = await call(drafts.change, { params, body: copy });
  expect(copied.body.modules[0]!.lessons[2]).toMatchObject({ title: "Ladder again", packageId: mine.added.id });
  expect((await call(drafts.publish, { params })).body).toEqual({ number: 1 });
});
