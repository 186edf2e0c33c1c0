import { sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { selectCourses } from "#server/courses/courseRows.ts";
import { conflict, Problem } from "#server/core/http/problem.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { selectDocuments } from "#server/documents/documentRows.ts";
import { addVersion, insertVersion } from "#server/documents/versions.ts";
import type { documents } from "#shared/documents/documents.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Longest title of a document; a package may have a longer one. */
const MAX_TITLE = 200;

/** Adds the text of a course as a document; later live versions of the course become versions of it. */
export async function addCourseText(ctx: Ctx<User>, { courseId, ...target }: BodyOf<typeof documents.addCourse>) {
  const course = await selectCourses(ctx)
    .innerJoin("courseVersions", "courseVersions.id", "courses.liveVersionId")
    .where("courses.id", "=", courseId)
    .select(["courses.title", "courseVersions.id as versionId", "courseVersions.number"])
    .executeTakeFirst();
  if (!course) throw new Problem(422, "documents.noCourseVersion");
  return inTransaction(ctx.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`course text ${courseId}`}))`.execute(tx);
    const existing = await selectDocuments({ ...ctx, db: tx })
      .innerJoin("courseTexts", "courseTexts.documentId", "documents.id")
      .innerJoin("courseVersions", "courseVersions.id", "courseTexts.courseVersionId")
      .where("courseVersions.courseId", "=", courseId)
      .where("documents.companyId", "is not distinct from", ctx.user.companyId)
      .select("documents.id")
      .limit(1)
      .executeTakeFirst();
    if (existing) throw conflict("documents.courseAdded");
    return addVersion(
      ctx,
      tx,
      { ...target, title: course.title.slice(0, MAX_TITLE), documentId: undefined, source: "course" },
      { name: `${course.title} ${course.number}`, courseVersionId: course.versionId },
    );
  });
}

/** Courses that are looked at in one run. */
const MAX_PER_RUN = 100;

/** Reads the text of courses again of which another version is live since. */
export const renewCourseTexts = job("documents:courseTexts", z.object({}), renew, "* * * * *");

async function renew({ db, log }: Services) {
  const { rows: outdated } = await sql<{ id: string; title: string; courseVersionId: string; number: number }>`
    with read as (
      select distinct document_id, course_id
      from course_texts
      join course_versions on course_versions.id = course_version_id
    )
    select documents.id, courses.title, live.id as "courseVersionId", live.number
    from read
    join documents on documents.id = read.document_id
    join courses on courses.id = read.course_id
    join course_versions live on live.id = courses.live_version_id
    where documents.status = 'active'
      and not exists (
        select from course_texts own
        where own.document_id = documents.id
          and own.course_version_id = live.id)
    limit ${MAX_PER_RUN}`.execute(db);
  for (const { id, title, number, courseVersionId } of outdated)
    await inTransaction(db, (tx) => insertVersion(tx, id, { name: `${title} ${number}`, courseVersionId }, null)).catch(
      (error: unknown) => log.warn({ err: error, id }, "the text of a course was not read again"),
    );
}
