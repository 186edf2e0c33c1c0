import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import type { User } from "#shared/core/users.ts";

/**
 * Published chatbots that a learner may use, by the rules of `isOpenTo` (botAccess.ts), each once: without a course, or
 * in one of the learner's courses (`courseId`).
 */
export const selectUsableBots = (db: Db, { id, companyId }: User) =>
  db
    .selectFrom("chatbots")
    .innerJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("chatbotCourses")
          .innerJoin("enrolments", "enrolments.courseId", "chatbotCourses.courseId")
          .whereRef("chatbotCourses.chatbotId", "=", "chatbots.id")
          .where("enrolments.userId", "=", id)
          .where("enrolments.status", "!=", "withdrawn")
          .where(sql<boolean>`live.settings->'courseIds' ? enrolments.course_id::text`)
          .orderBy("enrolments.lastActivityAt", (order) => order.desc().nullsLast())
          .orderBy("enrolments.courseId")
          .limit(1)
          .select("enrolments.courseId")
          .as("own"),
      (join) => join.onTrue(),
    )
    .where("chatbots.status", "=", "published")
    .where(
      sql<boolean>`(
        (live.settings->'companyIds' = '[]' and coalesce((live.settings->>'allCompanies')::boolean, true))
        or coalesce(live.settings->'companyIds' ? ${companyId}::text, false)
      )`,
    )
    .where(sql<boolean>`(live.settings->>'access' in ('public', 'signedIn') or own.course_id is not null)`)
    .select(["chatbots.id", "live.name", "chatbots.status"])
    .select(
      sql<string | null>`case
        when live.settings->>'access' not in ('public', 'signedIn') then own.course_id
      end`.as("courseId"),
    );
