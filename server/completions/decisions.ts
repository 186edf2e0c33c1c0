import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { type EnrolmentRow, selectAttempts } from "#server/completions/enrolmentRow.ts";
import { explainEnrolment } from "#server/completions/explaining.ts";
import { mailDecision } from "#server/completions/mails.ts";
import { findInScope, readCompletion } from "#server/completions/service.ts";
import { inTransaction, repeatOnDeadlock, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict } from "#server/core/http/problem.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import { reactionsOf } from "#server/player/completionReactions.ts";
import { completeAttempt, reopenAttempt } from "#server/player/outcomes.ts";
import type { CompletionBefore } from "#shared/completions/completionBefore.ts";
import type { Completion, Decision, DecisionInput } from "#shared/completions/completions.ts";
import type { User } from "#shared/core/users.ts";

// What admins decide about a completion by hand

type Attempts = Awaited<ReturnType<ReturnType<typeof selectAttempts>["execute"]>>;
/** An enrolment and its attempts, the latest first, locked until the end of the transaction. */
type Locked = { enrolment: EnrolmentRow; attempts: Attempts; before: CompletionBefore };

/** Runs a decision about an enrolment in the scope of the user, with what follows from completions after it. */
export async function decide(ctx: Ctx<User>, id: string, work: (tx: Tx, locked: Locked) => Promise<void>) {
  const { userId, courseId } = await findInScope(ctx.db, ctx.user, id);
  await repeatOnDeadlock(() =>
    inTransaction(ctx.db, async (tx) => {
      // As a launch, which may start an attempt (server/player/launch.ts).
      await sql`select pg_advisory_xact_lock(hashtextextended(${`launch ${userId} ${courseId}`}, 0))`.execute(tx);
      // No move to another company meanwhile.
      await tx.selectFrom("users").where("id", "=", userId).forShare().select("id").execute();
      await work(tx, await lock(tx, ctx.user, id));
    }),
  );
  reactionsOf(ctx).request();
  return readCompletion(ctx, id);
}

/** As in a commit, attempts are locked before their enrolment. 409 if the learner no longer has the course. */
async function lock(tx: Tx, user: User, id: string): Promise<Locked> {
  const attempts = await selectAttempts(tx, id).forNoKeyUpdate().execute();
  const { completedAt, ...rest } = await tx
    .selectFrom("enrolments")
    .where("id", "=", id)
    .select([
      "status",
      "success",
      "progress",
      "scorePercent",
      "partsDone",
      "currentPart",
      "firstStartedAt",
      "completedAt",
    ])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const set = await tx
    .selectFrom("completionDecisions")
    .where("enrolmentId", "=", id)
    .where("kind", "=", "set")
    .where("endedAt", "is", null)
    .select("id")
    .execute();
  const external = await tx
    .selectFrom("externalCompletions")
    .innerJoin("attempts", "attempts.id", "externalCompletions.attemptId")
    .where("attempts.enrolmentId", "=", id)
    .where("externalCompletions.endedAt", "is", null)
    .select("externalCompletions.id")
    .execute();
  const [latest] = attempts;
  const enrolment = await findInScope(tx, user, id);
  if (enrolment.status === "withdrawn") throw conflict("completions.withdrawn");
  if (enrolment.hasLeft) throw conflict("completions.left");
  return {
    enrolment,
    attempts,
    before: {
      cycle: enrolment.cycle,
      enrolment: { ...rest, completedAt },
      attempt: latest ? { success: latest.success, progress: latest.progress } : null,
      completed: attempts.flatMap(({ id, completedAt: at }) => (at === null ? [] : [{ id, at }])),
      set: set.map((decision) => decision.id),
      external: external.map((completion) => completion.id),
    },
  };
}

/** 409 if the course is not as the admin has seen it. */
function checkSeen({ enrolment, attempts }: Locked, seen: DecisionInput) {
  if (enrolment.status === "completed" && seen.status !== "completed") throw conflict("completions.alreadyComplete");
  const isSame = (enrolment.status === "completed") === (seen.status === "completed");
  if (!isSame || (attempts[0]?.no ?? 0) !== seen.attemptNo) throw conflict("completions.changed");
}

type Made = { kind: Decision["kind"]; attemptId: string; reason: string };

async function store(tx: Tx, ctx: Ctx<User>, { enrolment, before }: Locked, made: Made) {
  await tx
    .insertInto("completionDecisions")
    .values({
      ...made,
      enrolmentId: enrolment.enrolmentId,
      companyId: enrolment.companyId,
      madeBy: ctx.user.id,
      before: JSON.stringify(before),
    })
    .execute();
  await recordDecision(tx, ctx, enrolment, made.kind);
}

const actions = { set: "set", reopened: "reopen", restarted: "restart" } as const;
export const recordDecision = (tx: Tx, ctx: Ctx<User>, enrolment: EnrolmentRow, kind: Decision["kind"] | "undone") =>
  record(tx, ctx, {
    action: kind === "undone" ? "completions.undo" : `completions.${actions[kind]}`,
    people: [enrolment.userId],
    companyId: enrolment.companyId,
    courseId: enrolment.courseId,
  });

/** Sets a course complete by hand; who never opened it gets an attempt without events. */
export const setComplete = (ctx: Ctx<User>, id: string, input: DecisionInput): Promise<Completion> =>
  decide(ctx, id, async (tx, locked) => {
    checkSeen(locked, input);
    if (locked.enrolment.status === "completed") throw conflict("completions.alreadyComplete");
    const attempt = locked.attempts[0] ?? (await startAttempt(tx, locked));
    // Before the completion, whose history reads it.
    await store(tx, ctx, locked, { kind: "set", attemptId: attempt.id, reason: input.reason });
    await complete(ctx, tx, { id: attempt.id, rev: attempt.rev, at: new Date().toISOString() });
  });

/** Takes the completion back; the attempt continues. */
export const reopenCompletion = (ctx: Ctx<User>, id: string, input: DecisionInput): Promise<Completion> =>
  decide(ctx, id, async (tx, locked) => {
    checkSeen(locked, input);
    const { enrolment, attempts } = locked;
    if (enrolment.status !== "completed") throw conflict("completions.notComplete");
    const complete = attempts.filter(({ completedAt }) => completedAt !== null);
    const isMetAnew = await wouldBeMet(tx, enrolment);
    for (const attempt of complete) {
      const { state } = await explainEnrolment(tx, enrolment, attempt, "admin");
      if (state?.(() => null).isMet) throw conflict(isMetAnew ? "completions.metByValue" : "completions.stillMet");
    }
    const [decisive] = complete;
    if (!decisive) throw conflict("completions.notComplete");
    await takeBack(ctx, tx, complete);
    await store(tx, ctx, locked, { kind: "reopened", attemptId: decisive.id, reason: input.reason });
    await mailDecision(ctx, tx, id, "reopened");
  });

/** A new attempt on the live version. What was done before stays readable, and completes nothing any more. */
export const restartCourse = (ctx: Ctx<User>, id: string, input: DecisionInput): Promise<Completion> =>
  decide(ctx, id, async (tx, locked) => {
    checkSeen(locked, input);
    const { attempts, enrolment } = locked;
    if (attempts.length === 0) throw conflict("completions.neverOpened");
    if (await wouldBeMet(tx, enrolment)) throw conflict("completions.metByValue");
    await endCourseSessions(tx, "enrolmentId", [id]);
    const complete = await selectAttempts(tx, id).where("completedAt", "is not", null).execute();
    await takeBack(ctx, tx, complete);
    const { id: attemptId } = await startAttempt(tx, locked);
    await tx
      .updateTable("enrolments")
      .set({
        status: enrolment.status === "assigned" ? "assigned" : "in_progress",
        success: "unknown",
        scorePercent: null,
        progress: null,
        partsDone: 0,
        currentPart: null,
      })
      .where("id", "=", id)
      .execute();
    await store(tx, ctx, locked, { kind: "restarted", attemptId, reason: input.reason });
    if (complete.length > 0) await mailDecision(ctx, tx, id, "reopened");
  });

/** Whether a new attempt meets the rule without a step, as by values of variables that outlive attempts. */
async function wouldBeMet(tx: Tx, enrolment: EnrolmentRow) {
  const { state } = await explainEnrolment(tx, enrolment, null, "admin");
  return state?.(() => null).isMet ?? false;
}

async function startAttempt(tx: Tx, { enrolment }: Locked) {
  const { enrolmentId, userId, companyId, courseId, liveVersionId: versionId } = enrolment;
  if (versionId === null) throw conflict("courses.noVersion");
  return tx
    .insertInto("attempts")
    .values((e) => ({
      enrolmentId,
      userId,
      companyId,
      courseId,
      versionId,
      no: e
        .selectFrom("attempts")
        .where("enrolmentId", "=", enrolmentId)
        .where("preview", "=", false)
        .select(sql<number>`coalesce(max(no), 0) + 1`.as("no")),
    }))
    .returning(["id", "rev"])
    .executeTakeFirstOrThrow();
}

/** Completes a locked attempt with all that follows from it. */
export async function complete(
  ctx: Ctx<User>,
  tx: Tx,
  { id, rev, at }: { id: string; rev: number; at: string },
  store: typeof completeAttempt = completeAttempt,
) {
  if (!(await store(tx, { attemptId: id, rev, at }))) throw conflict("completions.changed");
  await reactionsOf(ctx).runWithin?.(tx, [id]);
}

/** Takes the completions of locked attempts back with all that follows from them. */
export async function takeBack(ctx: Ctx<User>, tx: Tx, attempts: { id: string; rev: number }[]) {
  for (const { id, rev } of attempts) {
    const completion = await reopenAttempt(tx, { attemptId: id, rev });
    if (completion) await reactionsOf(ctx).runWithdrawn(tx, completion);
  }
}
