import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, repeatOnDeadlock } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { readContents } from "#server/lessons/contents.ts";
import { readAllowances } from "#server/player/quizzes/allowances.ts";
import { readPartStates } from "#server/player/sessionState.ts";
import { roundPercent } from "#shared/core/percent.ts";
import { NO_ALLOWANCE } from "#shared/lessons/quiz.ts";
import { countedAttempt, isPassed, newQuizState, percentOf } from "#shared/lessons/quizState.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { LearnerQuiz, quizzes } from "#shared/player/quizzes.ts";
import type { User } from "#shared/core/users.ts";

const SCOPE = { company: "enrolments.companyId", person: "enrolments.userId" };

/** The latest attempt of an enrolment in the scope of the user; without one, the version that it would be on. */
const findEnrolment = (db: Db, user: User, id: string) =>
  db
    .selectFrom("enrolments")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom("attempts")
          .whereRef("attempts.enrolmentId", "=", "enrolments.id")
          .whereRef("attempts.no", ">=", "enrolments.firstAttempt")
          .orderBy("attempts.no", "desc")
          .limit(1)
          .select(["attempts.id", "attempts.versionId"])
          .as("latest"),
      (on) => on.onTrue(),
    )
    .where("enrolments.id", "=", id)
    .where("enrolments.userId", "is not", null)
    .where(inScope(user, SCOPE))
    .select([
      "enrolments.userId",
      "enrolments.companyId",
      "enrolments.courseId",
      "latest.id as attemptId",
      sql<string | null>`coalesce(latest.version_id, courses.live_version_id)`.as("versionId"),
    ])
    .executeTakeFirstOrThrow(notFound);

export async function listQuizzes({ db, user }: Pick<Ctx<User>, "db" | "user">, enrolmentId: string) {
  const { attemptId, versionId } = await findEnrolment(db, user, enrolmentId);
  const items: LearnerQuiz[] = [];
  if (versionId === null) return { items };
  const version = await db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .select(["parts"])
    .executeTakeFirstOrThrow(notFound);
  const { documents } = await readContents(db, versionId);
  const states = attemptId === null ? new Map() : await readPartStates(db, attemptId);
  const allowances = await readAllowances(db, enrolmentId);
  for (const { sco, title } of version.parts) {
    const settings = documents.get(sco)?.quiz;
    if (!settings) continue;
    const quiz = states.get(sco)?.lesson?.quiz ?? newQuizState();
    const counted = countedAttempt(quiz, settings);
    items.push({
      sco,
      title,
      started: quiz.started,
      attempts: settings.attempts,
      minutes: settings.minutes,
      extra: allowances.get(sco) ?? NO_ALLOWANCE,
      scorePercent: counted && roundPercent(percentOf(counted), 1),
      isPassed: isPassed(quiz.best, settings),
      isOpen: quiz.open !== null,
    });
  }
  return { items };
}

/** Sessions in memory read the attempt again, because its revision changes. */
export async function allowMore(ctx: Ctx<User>, enrolmentId: string, given: BodyOf<typeof quizzes.allow>) {
  const { sco, attempts, minutes } = given;
  const { userId, courseId, companyId } = await findEnrolment(ctx.db, ctx.user, enrolmentId);
  const { items } = await listQuizzes(ctx, enrolmentId);
  if (!items.some((quiz) => quiz.sco === sco)) throw notFound();
  await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      await tx
        .updateTable("attempts")
        .set({ rev: sql`rev + 1` })
        .where("enrolmentId", "=", enrolmentId)
        .execute();
      await tx
        .insertInto("quizAllowances")
        .values({ enrolmentId, sco, attempts, minutes })
        .onConflict((on) => on.columns(["enrolmentId", "sco"]).doUpdateSet({ attempts, minutes }))
        .execute();
      await record(tx, ctx, {
        action: "quizzes.allow",
        courseId,
        companyId,
        ...(userId && { people: [userId] }),
        details: { attempts, minutes },
      });
    }),
  );
  return listQuizzes(ctx, enrolmentId);
}
