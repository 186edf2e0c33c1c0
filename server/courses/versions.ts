import { type Insertable, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, isUniqueViolation, type Tx } from "#server/core/database/db.ts";
import type { CourseVersions } from "#server/core/database/db.types.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { addPackage } from "#server/courses/packageFolders.ts";
import { checkVersion } from "#server/courses/ruleChecks.ts";
import { getCourse } from "#server/courses/service.ts";
import { markFileInUse } from "#server/files/service.ts";
import type { AuditAction } from "#shared/audit/audit.ts";
import type { Course } from "#shared/courses/courses.ts";
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
const kindNames: Record<Course["kind"], string> = {
  scorm12: "SCORM 1.2",
  scorm2004: "SCORM 2004",
  cmi5: "cmi5",
  xapi: "xAPI (Tin Can)",
  html: "a web page package",
  lessons: "made of lessons",
  mixed: "made of lessons and packages",
};

/** Imports a package as a new course, or as a new version of one. */
export async function importPackage(ctx: Ctx<User>, zip: string, { name, courseId, fileId = null }: Upload) {
  const id = await addPackage(ctx, zip, name, ({ row, manifest, sha256 }) =>
    inTransaction(ctx.db, async (tx) => {
      const course = courseId
        ? await lockCourse(tx, courseId, [manifest.kind])
        : await createCourse(tx, ctx.user, manifest);
      const isSequenced = manifest.sequencing !== undefined;
      const version = { ...row, isSequenced, sha256, fileId, manifest: JSON.stringify(manifest) };
      await addVersion(tx, ctx, course, version, { makeLive: course.versions === 0, action: "courses.upload" });
      if (fileId) await markFileInUse(tx, fileId);
      return course.id;
    }),
  );
  return getCourse(ctx, id);
}

/** A locked course, and the number of its latest version. */
type LockedCourse = { id: string; versions: number };
type NewVersion = Omit<Insertable<CourseVersions>, "courseId" | "number" | "createdBy">;

/** Adds the next version to a course, which new attempts use at once if `makeLive` is set. Returns its number. */
export async function addVersion(
  tx: Tx,
  ctx: Ctx<User>,
  course: LockedCourse,
  version: NewVersion & { id: string },
  { makeLive, action }: { makeLive: boolean; action: AuditAction },
) {
  const number = course.versions + 1;
  await tx
    .insertInto("courseVersions")
    .values({ ...version, courseId: course.id, number, createdBy: ctx.user.id })
    .execute();
  await tx
    .updateTable("courses")
    .set((e) => ({
      ...(makeLive && { liveVersionId: version.id }),
      version: e("version", "+", 1),
      updatedAt: new Date().toISOString(),
      updatedBy: ctx.user.id,
    }))
    .where("id", "=", course.id)
    .execute();
  if (makeLive) await checkVersion(tx, course.id, version.id);
  await record(tx, ctx, { action, courseId: course.id, details: { version: number } });
  return number;
}

/** Locks a course that gets a version of one of these kinds; 409 if it is of another. */
export async function lockCourse(
  tx: Tx,
  id: string,
  kinds: [Course["kind"], ...Course["kind"][]],
): Promise<LockedCourse> {
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
  if (!kinds.includes(course.kind))
    throw conflict("courses.kindChanged", undefined, { old: kindNames[course.kind], new: kindNames[kinds[0]] });
  return { id, versions: latest?.number ?? 0 };
}

/** Creates a draft with a code derived from the title, with a number appended if the code is taken. */
export async function createCourse(
  tx: Tx,
  user: User,
  { title, kind }: Pick<Course, "title" | "kind">,
): Promise<LockedCourse> {
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
