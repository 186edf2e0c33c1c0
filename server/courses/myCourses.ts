import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { prepareQuery } from "#server/core/database/preparedQueries.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import { isSetByAdmin } from "#server/courses/setByAdmin.ts";
import type { User } from "#shared/core/users.ts";
import { isListed } from "#shared/player/player.ts";

type Owner = { userId: string; companyId: string | null };

/** The enrolments of a learner with their courses. Drafts and withdrawn courses are left out. */
export const selectOwnCourses = (db: Db, { userId, companyId }: Owner) =>
  db
    .selectFrom("enrolments")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .where("enrolments.userId", "=", userId)
    .where("enrolments.companyId", "=", companyId)
    .where("enrolments.status", "!=", "withdrawn")
    .where((e) =>
      e.or([
        e("courses.status", "=", "published"),
        e("courses.status", "=", "archived").and("enrolments.firstStartedAt", "is not", null),
      ]),
    );

/** SQL: the last day of an exemption from the course that covers today. */
const exemptUntil = sql<string | null>`case
  when (now() at time zone companies.timezone)::date between requirements.exempt_from and requirements.exempt_until
    then requirements.exempt_until
end`;

const selectMyCourses = prepareQuery((db, owner: Owner) =>
  selectOwnCourses(db, owner)
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("attempts")
          .whereRef("attempts.enrolmentId", "=", "enrolments.id")
          .whereRef("attempts.no", ">=", "enrolments.firstAttempt")
          .select("versionId")
          .orderBy("no", "desc")
          .limit(1)
          .as("last"),
      (join) => join.onTrue(),
    )
    .leftJoin("requirements", "requirements.enrolmentId", "enrolments.id")
    .innerJoin("courseVersions", (join) =>
      join.on(sql<boolean>`course_versions.id = coalesce(last.version_id, courses.live_version_id)`),
    )
    .select([
      "enrolments.courseId",
      "enrolments.companyId",
      "courses.code",
      "courses.title",
      "courses.summary",
      "courses.kind",
      "courses.minutes",
      "enrolments.status",
      "enrolments.success",
      "enrolments.progress",
      "enrolments.scorePercent",
      "enrolments.partsDone",
      "enrolments.currentPart",
      "enrolments.dueDate",
      "enrolments.assignedAt",
      isOverdue.as("overdue"),
      sql<boolean>`courses.status = 'archived'`.as("archived"),
      "enrolments.completedAt",
      "requirements.validUntil",
      sql<boolean>`requirements.opened_on is not null`.as("isRenewal"),
      exemptUntil.as("exemptUntil"),
      isSetByAdmin(sql.ref("enrolments.id")).as("setByAdmin"),
      "enrolments.lastActivityAt",
      "courseVersions.parts as tree",
    ])
    .orderBy(sql`enrolments.last_activity_at desc nulls last`)
    .orderBy(sql`enrolments.due_date asc nulls last`)
    .orderBy("courses.title"),
);

/**
 * The courses of the signed-in learner, most recently used first, with the titles of their parts. Drafts and withdrawn
 * courses are left out.
 */
export async function readMyCourses({ db, user }: Ctx<User>) {
  const rows = await selectMyCourses(db, { userId: user.id, companyId: user.companyId });
  return rows.map(({ tree, currentPart, ...row }) => {
    const parts = tree.filter(isListed);
    const currentIndex = parts.findIndex((part) => part.sco === currentPart);
    const isResumable = row.status !== "completed" && currentIndex >= 0;
    return {
      ...row,
      parts: parts.length,
      titles: parts.map(({ title }) => title),
      currentPart: isResumable ? currentIndex : null,
      nextPart: isResumable && parts.length > 1 ? (parts[currentIndex]?.title ?? null) : null,
    };
  });
}

export async function listMyCourses(ctx: Ctx<User>) {
  const items = await readMyCourses(ctx);
  return { items, total: items.length };
}
