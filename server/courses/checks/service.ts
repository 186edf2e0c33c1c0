import { sql } from "kysely";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { storeCheck } from "#server/courses/checks/storage.ts";
import { ENROLMENT_SCOPE } from "#server/courses/enrolments.ts";
import { ensureUnpacked } from "#server/courses/packageFolders.ts";
import { READER } from "#server/packages/doctor/reading.ts";
import type { PackageCheck } from "#shared/courses/packageChecks.ts";
import type { User } from "#shared/core/users.ts";

export type Checked = { id: string; packageId: string };

/** Warnings of the importer that the reading repeats with their places. */
const readToo = new Set(["serviceWorker", "insecureAddress", "neverReports", "callsWithoutManifest"]);

/** The check of a package. Reads its files first if that was not done yet, or only by earlier rules. */
export async function getCheck(ctx: Ctx<User>, checked: Checked): Promise<PackageCheck> {
  const found = await readCheck(ctx, checked);
  if (found.reader !== null && found.reader >= READER) return found.shown;
  return (await readFiles(ctx, checked.packageId)) ? (await readCheck(ctx, checked)).shown : found.shown;
}

/** Reads the files of a package again; 409 if they are gone. */
export async function checkAgain(ctx: Ctx<User>, checked: Checked): Promise<PackageCheck> {
  await readCheck(ctx, checked);
  if (!(await readFiles(ctx, checked.packageId))) throw new Problem(409, "packageChecks.noFiles");
  return (await readCheck(ctx, checked)).shown;
}

/** False if the files are neither unpacked nor in the store. */
async function readFiles(ctx: Ctx<User>, packageId: string): Promise<boolean> {
  const { kind, parts } = await ctx.db
    .selectFrom("packages")
    .where("id", "=", packageId)
    .select(["kind", "parts"])
    .executeTakeFirstOrThrow(notFound);
  const folder = await ensureUnpacked(ctx, packageId).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  });
  if (folder === null) return false;
  await storeCheck(ctx.db, packageId, folder, { kind, parts });
  return true;
}

async function readCheck({ db, user }: Ctx<User>, { id, packageId }: Checked) {
  const row = await db
    .selectFrom("packages")
    .innerJoin("courses", "courses.id", "packages.courseId")
    .leftJoin("packageChecks", "packageChecks.packageId", "packages.id")
    .leftJoin("courseVersions", "courseVersions.id", "packages.id")
    .where("packages.id", "=", packageId)
    .where("packages.courseId", "=", id)
    .select([
      "packages.title",
      "packages.fileName",
      "packages.bytes",
      "packages.warnings",
      "courses.title as courseTitle",
      "courses.completionRule as rule",
      "courseVersions.number as version",
      "reading",
      "reader",
      "packageChecks.number",
      "tookMs",
      "checkedAt",
    ])
    .select(({ selectFrom }) =>
      selectFrom("enrolments")
        .whereRef("enrolments.courseId", "=", "courses.id")
        .where("enrolments.status", "!=", "withdrawn")
        .where("enrolments.userId", "is not", null)
        .where(inScope(user, ENROLMENT_SCOPE))
        .select(sql<number>`count(*)::int`.as("learners"))
        .$asScalar()
        .$notNull()
        .as("learners"),
    )
    .executeTakeFirstOrThrow(notFound);
  const { title, fileName, bytes, version, rule, learners, reading, reader, number, tookMs, checkedAt } = row;
  const isRead = reading !== null && number !== null && tookMs !== null && checkedAt !== null;
  const shown: PackageCheck = {
    packageId,
    title,
    fileName,
    bytes,
    course: { id, title: row.courseTitle },
    version,
    warnings: row.warnings.flatMap(({ code, sentence }) =>
      readToo.has(code.replace(/^packages\./, "")) ? [] : [sentence],
    ),
    rule,
    learners,
    isUnreadable: reader !== null && reading === null,
    check: isRead ? { reading, number, tookMs, checkedAt } : null,
  };
  return { shown, reader };
}
