import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkPackages } from "#server/courses/checks/jobs.ts";
import { packageChecks } from "#shared/courses/packageChecks.ts";
import { judgePackage, proposeRule } from "#shared/courses/packageVerdict.ts";
import { manifest12 } from "#test/samplePackage.ts";
import { script } from "#test/packageFolder.ts";
import { start } from "#test/start.ts";

const { as, make, db, services } = await start();
const passing = {
  "imsmanifest.xml": manifest12(),
  "index.html": script(`API.LMSInitialize(""); API.LMSSetValue("cmi.core.score.raw", s)
API.LMSSetValue("cmi.core.lesson_status", "passed"); window.close()`),
};
const classroom = async (files: Record<string, string> = passing) => {
  const room = await make.classroom(files);
  const { id: packageId } = await db
    .selectFrom("courseVersions")
    .where("courseId", "=", room.course.id)
    .select("id")
    .executeTakeFirstOrThrow();
  return { ...room, params: { id: room.course.id, packageId } };
};

test("opening a check for the first time reads the package once and counts learners", async () => {
  const { admin, params, course } = await classroom();
  const read = () => as(admin)(packageChecks.get, { params });
  const [{ status, body }] = await Promise.all([read(), read(), read()]);
  expect(status).toBe(200);
  const stored = await db.selectFrom("packageChecks").where("packageId", "=", params.packageId).selectAll().execute();
  expect(stored).toMatchObject([{ number: 1 }]);
  expect(body).toMatchObject({
    fileName: "test.zip",
    version: 1,
    course: { id: course.id, title: course.title },
    learners: 1,
    rule: { kind: "reported" },
    check: { number: 1, reading: { kind: "scorm12", units: 1, isWhole: true } },
  });
  const { reading } = body.check!;
  expect(judgePackage(reading, body.rule)).toEqual({ code: "tracks", missing: null });
  expect(proposeRule(reading)).toEqual({ rule: { kind: "passed" }, why: "passed" });
  expect(reading.risks).toMatchObject([{ code: "closesWindow", places: [{ file: "index.html", line: 2 }] }]);
});

test("reads the files again on request, and says if they are gone", async () => {
  const { admin, params } = await classroom();
  await as(admin)(packageChecks.get, { params });
  expect((await as(admin)(packageChecks.again, { params })).body.check?.number).toBe(2);
  rmSync(join(services.config.filesDir, "packages", params.packageId), { recursive: true });
  const gone = await as(admin)(packageChecks.again, { params });
  expect([gone.status, gone.body]).toMatchObject([409, { code: "packageChecks.noFiles" }]);
  expect((await as(admin)(packageChecks.get, { params })).body.check?.number).toBe(2);
  await db.deleteFrom("packageChecks").where("packageId", "=", params.packageId).execute();
  expect((await as(admin)(packageChecks.get, { params })).body.check).toBeNull();
});

test("packages without an up-to-date reading are read by a job or on opening the check", async () => {
  const { admin, params } = await classroom();
  await db.deleteFrom("packageChecks").execute();
  expect((await as(admin)(packageChecks.get, { params })).body.check?.number).toBe(1);
  await db.updateTable("packageChecks").set({ reader: 0 }).execute();
  await checkPackages.run(services, {});
  const after = await as(admin)(packageChecks.get, { params });
  expect(after.body.check?.number).toBe(2);
});

test("learners cannot read a check, and admins only under its own course", async () => {
  const { admin, learner, params } = await classroom();
  const other = await make.course(admin);
  for (const contract of [packageChecks.get, packageChecks.again, packageChecks.seen]) {
    expect((await as(learner)(contract, { params })).status).toBe(403);
    expect((await as(admin)(contract, { params: { ...params, id: other.id } })).status).toBe(404);
  }
});

test("a package that cannot be read says so, and is read again only on request", async () => {
  const { admin, params } = await classroom();
  await as(admin)(packageChecks.get, { params });
  await db.updateTable("packageChecks").set({ reading: null }).where("packageId", "=", params.packageId).execute();
  expect((await as(admin)(packageChecks.get, { params })).body).toMatchObject({ isUnreadable: true, check: null });
  await checkPackages.run(services, {});
  expect((await as(admin)(packageChecks.get, { params })).body.isUnreadable).toBe(true);
  expect((await as(admin)(packageChecks.again, { params })).body).toMatchObject({ isUnreadable: false });
});
