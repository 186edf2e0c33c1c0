import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { nameOf } from "#server/core/database/personName.ts";
import { notFound } from "#server/core/http/problem.ts";
import { isOverdue } from "#server/courses/enrolments.ts";
import { isSetByAdmin } from "#server/courses/setByAdmin.ts";
import type { RootResult } from "#shared/sequencing/rootResult.ts";

/** An enrolment that is not erased, with its course and person; 404 outside of `scope`. */
export const findEnrolment = (db: Db, scope: RawBuilder<boolean>) =>
  db
    .selectFrom("enrolments")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("users", "users.id", "enrolments.userId")
    .where(scope)
    .orderBy("enrolments.cycle", "desc")
    .limit(1)
    .select([
      "enrolments.id as enrolmentId",
      "users.id as userId",
      "enrolments.companyId",
      "enrolments.courseId",
      "enrolments.status",
      "enrolments.cycle",
      "enrolments.completedAt",
      "courses.title as course",
      "courses.status as courseStatus",
      "courses.liveVersionId",
      "courses.completionRule as rule",
      nameOf().as("name"),
      sql<boolean>`users.company_id is distinct from enrolments.company_id`.as("hasLeft"),
      isOverdue.as("overdue"),
      isSetByAdmin(sql.ref("enrolments.id")).as("isSetByAdmin"),
      sql<string>`(now() at time zone companies.timezone)::date::text`.as("today"),
      sql<string | null>`(enrolments.completed_at at time zone companies.timezone)::date::text`.as("completedOn"),
    ])
    .executeTakeFirstOrThrow(notFound);
export type EnrolmentRow = Awaited<ReturnType<typeof findEnrolment>>;

const attemptColumns = [
  "id",
  "no",
  "rev",
  "versionId",
  "completion",
  "success",
  "progress",
  "scorePercent",
  "currentPart",
  "reportedSeconds",
  "activeSeconds",
  "confirmed",
  "completedAt",
  "lastActivityAt",
] as const;

/** The attempts of an enrolment since its course last opened, the latest first. */
export const selectAttempts = (db: Db, enrolmentId: string) =>
  db
    .selectFrom("attempts")
    .where("enrolmentId", "=", enrolmentId)
    .where("preview", "=", false)
    .where("no", ">=", (e) => e.selectFrom("enrolments").where("id", "=", enrolmentId).select("firstAttempt"))
    .orderBy("no", "desc")
    .select(attemptColumns)
    .select(sql<RootResult | null>`sequencing -> 'root'`.as("root"));
export type AttemptRow = Awaited<ReturnType<ReturnType<typeof selectAttempts>["execute"]>>[number];

/** The attempt that explains how the course stands: a completed one, or the latest. */
export const decisiveAttempt = (attempts: AttemptRow[]): AttemptRow | null =>
  attempts.find(({ completedAt }) => completedAt !== null) ?? attempts[0] ?? null;

/** The learner has done something in an attempt since a time. */
export const isActiveSince = ({ lastActivityAt }: AttemptRow, since: string) =>
  lastActivityAt !== null && Date.parse(lastActivityAt) > Date.parse(since);
