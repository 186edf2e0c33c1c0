import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { flattenParts } from "#server/courses/parts.ts";
import { readPackageNames } from "#server/courses/packageNames.ts";
import { readQuestions } from "#server/courses/questions.ts";
import { getCourse } from "#server/courses/service.ts";
import { markFileInUse } from "#server/files/service.ts";
import { PackageError } from "#server/packages/findings.ts";
import { type Inspection, inspectPackage } from "#server/packages/inspection.ts";
import { unpackPackage } from "#server/packages/unpacking.ts";
import type { Finding, Manifest } from "#shared/packages/packages.ts";
import type { User } from "#shared/core/users.ts";
import { defaultCompletionRule } from "#shared/courses/completionRules.ts";

type Upload = {
  /** Original file name. */
  name: string;
  /** The course that gets a new version; without it a new course is created. */
  courseId?: string | undefined;
  /** The stored file that contains the package. */
  fileId?: string | null;
};
const kindNames = { scorm12: "SCORM 1.2", scorm2004: "SCORM 2004", html: "a web page package" };

/**
 * Imports a package: checks and unpacks it, and stores it as a new course or as a new version of one. The files are
 * complete on disk before the row is written, so every visible version can be launched. A rejected package gives a 422
 * that names the problem and the file; nothing is left behind.
 */
export async function importPackage(ctx: Ctx<User>, zip: string, { name, courseId, fileId = null }: Upload) {
  const inspection = await inspectPackage(zip, name);
  const { report, manifest } = inspection;
  if (!report.ok || !manifest) throw packageRefused(report.error, report.warnings);
  const versionId = randomUUID();
  const packages = join(ctx.config.filesDir, "packages");
  const folder = join(packages, versionId);
  await mkdir(packages, { recursive: true });
  const unpacked = await unpackPackage(zip, inspection, folder).catch((error: unknown) => {
    throw error instanceof PackageError ? packageRefused(error.finding, report.warnings) : error;
  });
  try {
    const questions = await readQuestions(folder);
    const packageNames = await readPackageNames(folder, inspection.files);
    const id = await inTransaction(ctx.db, async (tx) => {
      const course = courseId ? await lockCourse(tx, courseId, manifest) : await createCourse(tx, ctx.user, manifest);
      await tx
        .insertInto("courseVersions")
        .values({
          id: versionId,
          courseId: course.id,
          number: course.versions + 1,
          kind: manifest.kind,
          title: manifest.title,
          fileName: name,
          bytes: unpacked.bytes,
          files: unpacked.files,
          sha256: unpacked.sha256,
          manifest: JSON.stringify(manifest),
          parts: JSON.stringify(flattenParts(manifest)),
          warnings: JSON.stringify(report.warnings),
          questions: JSON.stringify(questions),
          packageNames: JSON.stringify(packageNames),
          createdBy: ctx.user.id,
          fileId,
        })
        .execute();
      if (fileId) await markFileInUse(tx, fileId);
      if (course.versions === 0)
        await tx.updateTable("courses").set({ liveVersionId: versionId }).where("id", "=", course.id).execute();
      await tx
        .updateTable("courses")
        .set((e) => ({ version: e("version", "+", 1), updatedAt: new Date().toISOString(), updatedBy: ctx.user.id }))
        .where("id", "=", course.id)
        .execute();
      await record(tx, ctx, {
        action: "courses.upload",
        courseId: course.id,
        details: { version: course.versions + 1 },
      });
      return course.id;
    });
    return await getCourse(ctx, id);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function packageRefused(error: Inspection["report"]["error"], warnings: Finding[]) {
  const reason = error?.sentence ?? "The package cannot be read.";
  return new Problem(422, "courses.packageRefused", {
    values: { reason },
    details: { finding: error, warnings: warnings.map(({ sentence }) => sentence) },
  });
}

/** A locked course, and the number of its latest version. */
type LockedCourse = { id: string; versions: number };

async function lockCourse(tx: Tx, id: string, { kind }: Manifest): Promise<LockedCourse> {
  const course = await tx
    .selectFrom("courses")
    .where("id", "=", id)
    .select(["id", "kind"])
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const latest = await tx
    .selectFrom("courseVersions")
    .where("courseId", "=", id)
    .select((e) => e.fn.max("number").as("number"))
    .executeTakeFirst();
  if (course.kind !== kind)
    throw conflict("courses.kindChanged", undefined, { old: kindNames[course.kind], new: kindNames[kind] });
  return { id, versions: latest?.number ?? 0 };
}

/** Creates a draft with a code derived from the title, with a number appended if the code is taken. */
async function createCourse(tx: Tx, user: User, { title, kind }: Manifest): Promise<LockedCourse> {
  // Serialized: two packages with the same title would choose the same code.
  await sql`select pg_advisory_xact_lock(hashtext('course code'))`.execute(tx);
  const baseCode =
    title
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9 ]/g, "")
      .toUpperCase()
      .split(" ")
      .filter(Boolean)
      .map((word) => word.slice(0, 4))
      .join("-")
      .slice(0, 12)
      .replace(/-+$/, "") || "COURSE";
  for (let n = 1; ; n++) {
    const code = n === 1 ? baseCode : `${baseCode}-${n}`;
    const taken = await tx
      .selectFrom("courses")
      .where((e) => e(e.fn<string>("lower", ["code"]), "=", code.toLowerCase()))
      .select("id")
      .executeTakeFirst();
    if (taken) continue;
    try {
      const { id } = await tx
        .insertInto("courses")
        .values({
          title,
          code,
          kind,
          completionRule: JSON.stringify(defaultCompletionRule(kind)),
          updatedBy: user.id,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id, versions: 0 };
    } catch (error) {
      if (isUniqueViolation(error, "courses_code")) throw conflict("courses.codeTaken");
      throw error;
    }
  }
}
