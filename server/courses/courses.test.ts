import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { courses } from "#shared/courses/courses.ts";
import { objectAddress, OBJECTS_PATH } from "#shared/files/files.ts";
import { notifications } from "#shared/notifications/notifications.ts";
import { player } from "#shared/player/player.ts";
import { multipart } from "#test/client.ts";
import { manifest12, packageOf } from "#test/samplePackage.ts";
import { start } from "#test/start.ts";

const { app, as, content, make, services } = await start();
type UploadOptions = { name?: string; courseId?: string };
/** Stores the bytes as a file and imports it. */
const upload = async (
  token: string | null,
  bytes: Uint8Array,
  { name = "course.zip", courseId }: UploadOptions = {},
) => {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const path = `courses/${randomUUID()}/package.zip`;
  const { headers: kind, body } = multipart({ metadata: { purpose: "course" } }, bytes);
  const stored = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    payload: body,
    headers: { ...headers, ...kind },
  });
  if (stored.statusCode !== 200) return stored;
  return app.inject({
    method: "POST",
    url: courses.importPackage.path,
    headers,
    payload: { path, name, ...(courseId && { courseId }) },
  });
};
const leftovers = () =>
  ["incoming", "uploads"]
    .map((name) => join(services.config.filesDir, name))
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));

test("creates drafts with unique codes from packages with the same title", async () => {
  const admin = await make.admin();
  const all = await Promise.all([1, 2].map(() => upload(admin.token, packageOf())));
  expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const [one, two] = all.map((reply) => reply.json());
  expect(one).toMatchObject({
    title: "Test course",
    status: "draft",
    kind: "scorm12",
    parts: 1,
    completionRule: { kind: "reported" },
  });
  expect(one.code).not.toBe(two.code);
  expect(leftovers()).toEqual([]);
});

test("rejects uploads of learners and invalid packages, and leaves no files behind", async () => {
  const { admin, learner } = await make.classroom();
  expect((await upload(null, packageOf())).statusCode).toBe(401);
  expect((await upload(learner.token, packageOf())).statusCode).toBe(403);
  const rejected = await upload(admin.token, Buffer.from("not a zip at all"), { name: "notes.docx" });
  expect(rejected.statusCode).toBe(422);
  expect(rejected.json().error).toMatch(/ZIP/);
  const missing = await upload(admin.token, packageOf({ "imsmanifest.xml": manifest12() }));
  expect(missing.json().error).toContain("index.html");
  expect(leftovers()).toEqual([]);
});

test("notifies only the person who uploaded a package that it was not imported", async () => {
  const [admin, other] = [await make.admin(), await make.admin()];
  const courseId: string = (await upload(admin.token, packageOf())).json().id;
  await upload(admin.token, Buffer.from("not a zip"), { name: "Safety <b>.zip", courseId });
  const { items } = (await as(admin)(notifications.list)).body;
  expect(items).toMatchObject([
    { kind: "importFailed", params: { name: "Safety <b>.zip" }, link: `/courses/${courseId}?tab=versions` },
  ]);
  expect(items[0]?.params.reason).toMatch(/ZIP/);
  expect((await as(other)(notifications.list)).body.total).toBe(0);
});

test("keeps open attempts on their version and starts new ones on the live version", async () => {
  const { admin, learner, company, course } = await make.classroom();
  const first = await make.launch(learner, company.id, course.id);
  const second = (
    await upload(
      admin.token,
      packageOf({
        "imsmanifest.xml": manifest12('<item identifier="i9" identifierref="r1"><title>New</title></item>'),
        "index.html": "<p>LMSInitialize new",
      }),
      { courseId: course.id },
    )
  ).json();
  const newVersion = second.versions.find(({ number }: { number: number }) => number === 2);
  const live = await as(admin)(courses.setLive, {
    params: { id: course.id },
    body: { versionId: newVersion.id, version: second.version },
  });
  expect(live.body.versions.map(({ number, live: is, attempts }) => [number, is, attempts])).toEqual([
    [2, true, 0],
    [1, false, 1],
  ]);
  const resumed = await make.launch(learner, company.id, course.id, { takeOver: true });
  expect(resumed.parts.map(({ sco }) => sco)).toEqual(first.parts.map(({ sco }) => sco));
  const titlesFor = async (person: typeof learner) =>
    (await as(person)(courses.get, { params: { id: course.id } })).body.partTitles;
  expect(await titlesFor(learner)).toEqual(first.parts.map(({ title }) => title));
  expect(await titlesFor(admin)).toEqual(["New"]);
  const again = await make.launch(learner, company.id, course.id, { takeOver: true, newAttempt: true });
  expect([again.attemptNo, again.parts.map(({ sco }) => sco)]).toEqual([2, ["i9"]]);
  expect(await titlesFor(learner)).toEqual(["New"]);
});

test("rejects a new version of a different kind", async () => {
  const { admin, course } = await make.classroom();
  const reply = await upload(admin.token, packageOf({ "index.html": "<h1>plain</h1>" }), { courseId: course.id });
  expect(reply.statusCode).toBe(409);
  expect(reply.json().error).toBe(
    "This course is SCORM 1.2, but the package is a web page package. Upload it as a new course.",
  );
});

test("lets only admins launch a draft, and hides it from learners", async () => {
  const { admin, learner, company } = await make.classroom();
  const draft = await make.course(admin, { publish: false });
  await as(admin)(courses.assign, { params: { id: draft.id }, body: { userIds: [learner.user.id] } });
  const launch = (who: typeof admin) =>
    as(who)(player.launch, { params: { companyId: company.id, courseId: draft.id }, body: { clientId: randomUUID() } });
  expect(await launch(learner)).toMatchObject({ status: 409, code: "player.courseDraft" });
  expect((await launch(admin)).status).toBe(200);
  expect((await as(learner)(courses.mine)).body.items.some(({ courseId }) => courseId === draft.id)).toBe(false);
});

test("does not enrol a learner twice when a course is assigned again", async () => {
  const { admin, company, course } = await make.classroom();
  const again = await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [company.id] } });
  expect(again.body).toMatchObject({ added: 0, already: 1 });
});

test("rejects a code that is taken and an update of an outdated version", async () => {
  const { admin, course } = await make.classroom();
  const other = await make.course(admin);
  const now = (await as(admin)(courses.get, { params: { id: course.id } })).body;
  const change = (body: { title?: string; code?: string }) =>
    as(admin)(courses.update, { params: { id: course.id }, body: { ...body, version: now.version } });
  expect(await change({ code: other.code.toLowerCase() })).toMatchObject({
    status: 422,
    body: { issues: [{ path: "code" }] },
  });
  expect((await change({ title: "One" })).body).toMatchObject({
    title: "One",
    summary: now.summary,
    minutes: now.minutes,
  });
  expect(await change({ title: "Two" })).toMatchObject({ status: 409, code: "core.conflict" });
});

test("imports a file once, keeps it, and deletes the file of a rejected package", async () => {
  const admin = await make.admin();
  const headers = { authorization: `Bearer ${admin.token}` };
  const path = `courses/${randomUUID()}/twice.zip`;
  const { headers: kind, body } = multipart({ metadata: { purpose: "course" } }, packageOf());
  await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    payload: body,
    headers: { ...headers, ...kind },
  });
  const importFile = () => as(admin)(courses.importPackage, { body: { path, name: "twice.zip" } });
  const both = await Promise.all([importFile(), importFile()]);
  expect(both.map(({ status, body: course }) => [status, course.id])).toEqual([
    [200, both[0]?.body.id],
    [200, both[0]?.body.id],
  ]);
  const address = objectAddress(path);
  expect((await app.inject({ method: "DELETE", url: address, headers })).statusCode).toBe(409);
  expect(
    (
      await app.inject({
        method: "POST",
        url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
        payload: body,
        headers: { ...headers, ...kind },
      })
    ).statusCode,
  ).toBe(409);
  expect((await as(admin)(courses.importPackage, { body: { path: "courses/nowhere.zip", name: "x.zip" } })).code).toBe(
    "courses.noFile",
  );
  await upload(admin.token, Buffer.from("not a zip"));
  const unusedFiles = await services.db
    .selectFrom("files")
    .where("purpose", "=", "course")
    .where("deletedAt", "is", null)
    .where("inUse", "=", false)
    .select("id")
    .execute();
  expect(unusedFiles).toEqual([]);
});

test("unpacks missing files again from the stored package", async () => {
  const { admin, learner, company } = await make.classroom();
  const made = (await upload(admin.token, packageOf())).json();
  const { body: live } = await as(admin)(courses.setStatus, {
    params: { id: made.id },
    body: { status: "published", version: made.version },
  });
  await as(admin)(courses.assign, { params: { id: live.id }, body: { companyIds: [company.id] } });
  const launch = await make.launch(learner, company.id, live.id);
  rmSync(join(services.config.filesDir, "packages", live.versions[0]?.id as string), { recursive: true });
  const address = new URL(launch.shell).pathname.replace("/play/", "/files/");
  const pages = await Promise.all([1, 2, 3].map(() => content.inject({ url: `${address}index.html` })));
  expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
});
