import { sql, type Updateable } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/database/db.ts";
import type { Courses } from "#server/core/database/db.types.ts";
import { checkRule, checkVersion } from "#server/courses/ruleChecks.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { inScope } from "#server/core/database/scope.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { countParts, selectCourses } from "#server/courses/courseRows.ts";
import { ENROLMENT_SCOPE, isOverdue } from "#server/courses/enrolments.ts";
import type { AuditAction, AuditDetails } from "#shared/audit/audit.ts";
import type { CourseDetail, courses } from "#shared/courses/courses.ts";
import type { BodyOf } from "#shared/core/route.ts";
import { isListed, type Part } from "#shared/player/player.ts";
import type { User } from "#shared/core/users.ts";

const titlesOf = (parts: Part[] | null) => (parts ?? []).filter(isListed).map(({ title }) => title);

/** The parts of the version that the learner has started: they stay on it when another one is live. */
const readStartedParts = async ({ db, user }: Ctx<User>, courseId: string) =>
  (
    await db
      .selectFrom("attempts")
      .innerJoin("courseVersions", "courseVersions.id", "attempts.versionId")
      .where("attempts.userId", "=", user.id)
      .where("attempts.courseId", "=", courseId)
      .where("attempts.preview", "=", false)
      .orderBy("attempts.startedAt", "desc")
      .limit(1)
      .select("courseVersions.parts")
      .executeTakeFirst()
  )?.parts;

/** One course with its versions. Learners get neither versions nor warnings. */
export async function getCourse(ctx: Ctx<User>, id: string): Promise<CourseDetail> {
  const course = await selectCourses(ctx)
    .where("courses.id", "=", id)
    .select(["courses.liveVersionId", "live.parts as tree"])
    .select(({ selectFrom }) =>
      selectFrom("enrolments")
        .innerJoin("companies", "companies.id", "enrolments.companyId")
        .whereRef("enrolments.courseId", "=", "courses.id")
        .where(inScope(ctx.user, ENROLMENT_SCOPE))
        .where(isOverdue)
        .select((e) => sql<number>`${e.fn.countAll()}::int`.as("overdue"))
        .$asScalar()
        .$notNull()
        .as("overdue"),
    )
    .executeTakeFirstOrThrow(notFound);
  const { liveVersionId, tree, ...rest } = course;
  if (ctx.user.role !== "admin") {
    const partTitles = titlesOf((await readStartedParts(ctx, id)) ?? tree);
    return { ...rest, parts: partTitles.length, warnings: 0, versions: [], partTitles };
  }
  const partTitles = titlesOf(tree);
  const versions = await ctx.db
    .selectFrom("courseVersions")
    .leftJoin("users", "users.id", "courseVersions.createdBy")
    .where("courseId", "=", id)
    .select([
      "courseVersions.id",
      "number",
      "kind",
      "title",
      "fileName",
      "bytes",
      "files",
      "courseVersions.createdAt",
      "users.name as createdBy",
      countParts("parts").as("parts"),
      "warnings",
      sql<number>`(
        select count(*)::int
        from attempts
        where version_id = course_versions.id
          and not preview)`.as("attempts"),
    ])
    .orderBy("number", "desc")
    .execute();
  return {
    ...rest,
    partTitles,
    versions: versions.map((version) => ({
      ...version,
      kind: version.kind,
      warnings: version.warnings.map(({ sentence }) => sentence),
      live: version.id === liveVersionId,
      createdBy: version.createdBy ?? "",
    })),
  };
}

type AuditEntry = { action: AuditAction; details?: AuditDetails };

/** Updates a course if it is still at `version`; otherwise 409 with the current course and who changed it. */
async function changeCourse(
  ctx: Ctx<User>,
  id: string,
  version: number,
  values: Updateable<Courses>,
  entry: AuditEntry,
): Promise<CourseDetail> {
  try {
    return await inTransaction(ctx.db, (tx) => writeChange({ ...ctx, db: tx }, id, version, values, entry));
  } catch (error) {
    if (isUniqueViolation(error, "courses_code")) throw badField("code", "courses.codeTaken");
    throw error;
  }
}

async function writeChange(
  ctx: Ctx<User>,
  id: string,
  version: number,
  values: Updateable<Courses>,
  { action, details = {} }: AuditEntry,
) {
  const { db, user } = ctx;
  const updated = await db
    .updateTable("courses")
    .set((e) => ({ ...values, version: e("version", "+", 1), updatedAt: new Date().toISOString(), updatedBy: user.id }))
    .where("id", "=", id)
    .where("version", "=", version)
    .returning("id")
    .executeTakeFirst();
  const current = await getCourse(ctx, id);
  if (!updated)
    throw conflict("core.conflict", { current, changedBy: await getLastEditor(db, id), changedAt: current.updatedAt });
  await record(db, ctx, { action, courseId: id, details });
  return current;
}

const getLastEditor = async (db: Db, id: string) =>
  (
    await db
      .selectFrom("users")
      .innerJoin("courses", "courses.updatedBy", "users.id")
      .where("courses.id", "=", id)
      .select("users.name")
      .executeTakeFirst()
  )?.name ?? null;

export async function updateCourse(
  ctx: Ctx<User>,
  id: string,
  { version, completionRule, ...input }: BodyOf<typeof courses.update>,
) {
  const rule = completionRule && (await checkRule(ctx.db, id, completionRule));
  return changeCourse(
    ctx,
    id,
    version,
    { ...input, ...(rule && { completionRule: JSON.stringify(rule) }) },
    {
      action: "courses.update",
      details: { fields: [...Object.keys(input), ...(completionRule ? ["completionRule"] : [])] },
    },
  );
}

/** Status changes: draft → published ⇄ archived. A course without a version cannot be published. */
export async function setCourseStatus(
  ctx: Ctx<User>,
  id: string,
  { status, version }: BodyOf<typeof courses.setStatus>,
) {
  const row = await ctx.db
    .selectFrom("courses")
    .where("id", "=", id)
    .select("liveVersionId")
    .executeTakeFirstOrThrow(notFound);
  if (status === "published" && !row.liveVersionId) throw conflict("courses.noVersion");
  return changeCourse(ctx, id, version, { status }, { action: "courses.status", details: { to: status } });
}

/**
 * Sets the version for new attempts. Open attempts stay on the version they were started with, so that no progress is
 * lost.
 */
export async function setLiveVersion(
  ctx: Ctx<User>,
  id: string,
  { versionId, version }: BodyOf<typeof courses.setLive>,
) {
  const chosen = await ctx.db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .where("courseId", "=", id)
    .select("kind")
    .executeTakeFirstOrThrow(notFound);
  await checkVersion(ctx.db, id, versionId);
  return changeCourse(ctx, id, version, { liveVersionId: versionId, kind: chosen.kind }, { action: "courses.live" });
}
