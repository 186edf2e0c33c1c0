import type { Tx } from "#server/core/database/db.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import type { Course } from "#server/player/trackingState.ts";
import type { User } from "#shared/core/users.ts";

export type CourseInCompany = { companyId: string; courseId: string };

/** What a user launches: a preview, or the course of an enrolment. */
export type LaunchTarget = {
  preview: boolean;
  enrolmentId: string | null;
  /** Number of the first attempt of the present cycle; earlier ones are not resumed. */
  firstAttempt: number;
  title: string;
  code: string;
  rule: Course["rule"];
  liveVersionId: string;
};
const courseColumns = [
  "courses.title",
  "courses.code",
  "courses.status",
  "courses.liveVersionId",
  "courses.completionRule as rule",
] as const;

/** The live version of a course, for admins. */
export async function findPreview(tx: Tx, courseId: string): Promise<LaunchTarget> {
  const course = await tx
    .selectFrom("courses")
    .where("id", "=", courseId)
    .select(courseColumns)
    .executeTakeFirstOrThrow(notFound);
  if (!course.liveVersionId) throw conflict("courses.noVersion");
  return { ...course, liveVersionId: course.liveVersionId, preview: true, enrolmentId: null, firstAttempt: 1 };
}

/**
 * The latest enrolment of a learner in a course. Unknown and unassigned courses give the same 404, so that the courses
 * of others cannot be probed.
 */
export async function findEnrolment(tx: Tx, user: User, courseId: string): Promise<LaunchTarget> {
  const enrolment = await tx
    .selectFrom("enrolments")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .where("enrolments.userId", "=", user.id)
    .where("enrolments.courseId", "=", courseId)
    .where("enrolments.companyId", "=", user.companyId)
    .orderBy("cycle", "desc")
    .select([
      ...courseColumns,
      "enrolments.id as enrolmentId",
      "enrolments.firstAttempt",
      "enrolments.status as enrolmentStatus",
    ])
    .executeTakeFirst();
  if (!enrolment) throw new Problem(404, "player.notAssigned");
  if (enrolment.enrolmentStatus === "withdrawn") throw conflict("player.withdrawn");
  if (enrolment.status === "archived") throw conflict("player.courseArchived");
  if (enrolment.status === "draft" || !enrolment.liveVersionId) throw conflict("player.courseDraft");
  return { ...enrolment, liveVersionId: enrolment.liveVersionId, preview: false };
}
