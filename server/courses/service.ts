import { sql, type Updateable } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, isUniqueViolation } from "#server/core/db.ts";
import type { Courses } from "#server/core/db.types.ts";
import type { Ctx } from "#server/core/http.ts";
import { orderBy, searchFor } from "#server/core/listing.ts";
import { badField, conflict, notFound } from "#server/core/problem.ts";
import { inScope } from "#server/core/scope.ts";
import type { AuditAction, AuditDetails } from "#shared/audit.ts";
import type { CourseDetail, courses } from "#shared/courses.ts";
import type { BodyOf, QueryOf } from "#shared/route.ts";
import type { User } from "#shared/users.ts";

/**
 * Courses with counts of the enrolments in the scope of the user. Courses belong to the academy, so admins see all of them;
 * learners see those they are enrolled in.
 */
const selectCourses = ({ db, user }: Ctx<User>) => {
  const counts = db
    .selectFrom("enrolments")
    .where("enrolments.status", "!=", "withdrawn")
    .where(inScope(user, { company: "enrolments.companyId", person: "enrolments.userId" }))
    .groupBy("courseId")
    .select([
      "courseId",
      sql<number>`count(distinct company_id)::int`.as("companies"),
      sql<number>`count(*)::int`.as("learners"),
      sql<number>`count(*) filter (where status = 'completed')::int`.as("completed"),
      sql<number>`count(*) filter (where status in ('in_progress', 'failed'))::int`.as("inProgress"),
    ]);
  return db
    .selectFrom("courses")
    .leftJoin("courseVersions as live", "live.id", "courses.liveVersionId")
    .leftJoin(counts.as("w"), "w.courseId", "courses.id")
    .$if(user.role === "learner", (rows) => rows.where("w.learners", ">", 0).where("courses.status", "!=", "draft"))
    .select([
      "courses.id",
      "courses.title",
      "courses.code",
      "courses.summary",
      "courses.minutes",
      "courses.kind",
      "courses.status",
      "courses.version",
      "courses.createdAt",
      "courses.updatedAt",
      "courses.completionRule",
      sql<number>`coalesce((select count(*)::int from jsonb_array_elements(live.parts) p where p->>'href' is not null), 0)`.as(
        "parts",
      ),
      sql<number>`coalesce(jsonb_array_length(live.warnings), 0)`.as("warnings"),
    ])
    .select(({ fn, val }) => [
      fn.coalesce("w.companies", val(0)).as("companies"),
      fn.coalesce("w.learners", val(0)).as("learners"),
      fn.coalesce("w.completed", val(0)).as("completed"),
      fn.coalesce("w.inProgress", val(0)).as("inProgress"),
    ]);
};

/** The columns that identify a course in a search. */
const MATCHED_COLUMNS = ["courses.title", "courses.code"];

export async function listCourses(ctx: Ctx<User>, query: QueryOf<typeof courses.list>) {
  const filter = (rows: ReturnType<typeof selectCourses>) => {
    let found = query.status
      ? rows.where("courses.status", "=", query.status)
      : rows.where("courses.status", "!=", "archived");
    if (query.kind) found = found.where("courses.kind", "=", query.kind);
    const { companyId } = query;
    if (companyId) {
      found = found.where(({ or, exists, selectFrom }) =>
        or([
          exists(
            selectFrom("enrolments")
              .select("id")
              .whereRef("courseId", "=", "courses.id")
              .where("companyId", "=", companyId)
              .where("enrolments.status", "!=", "withdrawn"),
          ),
          exists(
            selectFrom("companyCourses")
              .select("courseId")
              .whereRef("courseId", "=", "courses.id")
              .where("companyId", "=", companyId),
          ),
        ]),
      );
    }
    if (query.q) found = found.where(searchFor(query.q, [...MATCHED_COLUMNS, "courses.summary"]));
    return found;
  };
  const { total } = await ctx.db
    .selectFrom(filter(selectCourses(ctx)).as("found"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await filter(selectCourses(ctx))
    .orderBy(
      orderBy(
        query.sort ?? "title",
        {
          title: sql`lower(courses.title)`,
          learners: sql`coalesce(w.learners, 0)`,
          completed: sql`w.completed::real / nullif(w.learners, 0)`,
          updatedAt: sql`courses.updated_at`,
        },
        { text: query.q, columns: MATCHED_COLUMNS },
      ),
    )
    .orderBy("courses.id")
    .limit(query.size)
    .offset((query.page - 1) * query.size)
    .execute();
  return { items, total };
}

/** One course with its versions. Learners get neither versions nor warnings. */
export async function getCourse(ctx: Ctx<User>, id: string): Promise<CourseDetail> {
  const course = await selectCourses(ctx)
    .where("courses.id", "=", id)
    .select(["courses.liveVersionId", "live.parts as tree"])
    .executeTakeFirstOrThrow(notFound);
  const { liveVersionId, tree, ...rest } = course;
  const partTitles = (tree ?? []).filter((part) => part.href !== null).map((part) => part.title);
  if (ctx.user.role !== "admin") return { ...rest, warnings: 0, versions: [], partTitles };
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
      sql<number>`(select count(*)::int from jsonb_array_elements(parts) p where p->>'href' is not null)`.as("parts"),
      "warnings",
      sql<number>`(select count(*)::int from attempts where version_id = course_versions.id and not preview)`.as(
        "attempts",
      ),
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

export function updateCourse(
  ctx: Ctx<User>,
  id: string,
  { version, completionRule, ...input }: BodyOf<typeof courses.update>,
) {
  return changeCourse(
    ctx,
    id,
    version,
    { ...input, ...(completionRule && { completionRule: JSON.stringify(completionRule) }) },
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

/** Sets the version for new attempts. Open attempts stay on the version they were started with, so that no progress is lost. */
export async function setLiveVersion(
  ctx: Ctx<User>,
  id: string,
  { versionId, version }: BodyOf<typeof courses.setLive>,
) {
  const found = await ctx.db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .where("courseId", "=", id)
    .select("kind")
    .executeTakeFirstOrThrow(notFound);
  return changeCourse(ctx, id, version, { liveVersionId: versionId, kind: found.kind }, { action: "courses.live" });
}
