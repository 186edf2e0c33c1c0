import { sql } from "kysely";
import { complete, decide, recordDecision, takeBack } from "#server/completions/decisions.ts";
import { type EnrolmentRow, type AttemptRow, selectAttempts } from "#server/completions/enrolmentRow.ts";
import { explainEnrolment } from "#server/completions/explaining.ts";
import { findInScope, isFresh } from "#server/completions/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { replayAttempt } from "#server/player/replay.ts";
import type { CompletionBefore } from "#shared/completions/completionBefore.ts";
import { type Completion, type Decision, UNDO_HOURS } from "#shared/completions/completions.ts";
import type { User } from "#shared/core/users.ts";

type Row = {
  id: string;
  kind: Decision["kind"];
  attemptId: string | null;
  madeAt: string;
  before: CompletionBefore;
};

/** Undoes the last decision about a completion within a day, unless the learner has completed the course since. */
export async function undoDecision(ctx: Ctx<User>, id: string): Promise<Completion> {
  const { enrolmentId } = await ctx.db
    .selectFrom("completionDecisions")
    .where("id", "=", id)
    .select("enrolmentId")
    .executeTakeFirstOrThrow(notFound);
  await findInScope(ctx.db, ctx.user, enrolmentId);
  return decide(ctx, enrolmentId, async (tx, { enrolment, attempts }) => {
    const decision = await findUndoable(tx, id, enrolment);
    if (decision.kind === "set") await undoSet(ctx, tx, decision, enrolment, attempts);
    else await undoTakenBack(ctx, tx, decision, enrolment);
    await tx
      .updateTable("completionDecisions")
      .set({ undoneAt: sql`clock_timestamp()`, undoneBy: ctx.user.id })
      .where("id", "=", id)
      .execute();
    await recordDecision(tx, ctx, enrolment, "undone");
  });
}

async function findUndoable(tx: Tx, id: string, { enrolmentId, cycle }: EnrolmentRow): Promise<Row> {
  const row = await tx
    .selectFrom("completionDecisions as decision")
    .where("decision.id", "=", id)
    .selectAll("decision")
    .select(isFresh.as("isFresh"))
    .executeTakeFirstOrThrow(notFound);
  if (row.undoneAt !== null) throw conflict("completions.undoneAlready");
  if (!row.isFresh) throw conflict("completions.tooLate", undefined, { hours: UNDO_HOURS });
  if (row.before.cycle !== cycle) throw conflict("completions.openedSince");
  const later = await tx
    .selectFrom("completionDecisions")
    .where("enrolmentId", "=", enrolmentId)
    .where("undoneAt", "is", null)
    .where("id", "<>", id)
    .where("madeAt", ">=", (e) => e.selectFrom("completionDecisions").where("id", "=", id).select("madeAt"))
    .select("id")
    .executeTakeFirst();
  if (later || row.endedAt !== null) throw conflict("completions.decidedSince");
  return row as Row;
}

async function undoSet(ctx: Ctx<User>, tx: Tx, decision: Row, enrolment: EnrolmentRow, attempts: AttemptRow[]) {
  const attempt = attempts.find(({ id }) => id === decision.attemptId);
  if (!attempt) throw conflict("completions.decidedSince");
  const isOther = attempts.some(({ id, completedAt }) => completedAt !== null && id !== attempt.id);
  if (isOther || (await hasMetRule(tx, enrolment, attempt, decision.madeAt))) throw conflict("completions.metSince");
  await takeBack(ctx, tx, [attempt]);
  const { before } = decision;
  const sessions = await tx
    .selectFrom("sessions")
    .where("attemptId", "=", attempt.id)
    .select((e) => [e.fn.countAll<number>().as("count"), e.fn.min("startedAt").as("first")])
    .executeTakeFirstOrThrow();
  const wasUnopened = before.attempt === null;
  if (wasUnopened && sessions.count === 0) await tx.deleteFrom("attempts").where("id", "=", attempt.id).execute();
  else
    await tx
      .updateTable("attempts")
      .set({ progress: before.attempt?.progress ?? null })
      .where("id", "=", attempt.id)
      .execute();
  const hasBegun = wasUnopened && sessions.count > 0;
  await restore(tx, enrolment, {
    ...before.enrolment,
    ...(hasBegun && { status: "in_progress", firstStartedAt: sessions.first }),
    // What the learner has achieved since stays.
    ...(attempt.success !== (before.attempt?.success ?? "unknown") && { success: attempt.success }),
  });
}

/** Whether an attempt that was set complete meets the rule by what the learner did. */
async function hasMetRule(tx: Tx, enrolment: EnrolmentRow, attempt: AttemptRow, since: string) {
  const { state } = await explainEnrolment(tx, enrolment, attempt, "admin");
  if (state?.(() => null).isMet) return true;
  const { rule, userId, companyId, courseId, enrolmentId } = enrolment;
  const one = { ...attempt, userId, companyId, courseId, enrolmentId };
  return (await replayAttempt(tx, one, rule, since)).metAt !== null;
}

async function undoTakenBack(ctx: Ctx<User>, tx: Tx, decision: Row, enrolment: EnrolmentRow) {
  const { before, kind, attemptId } = decision;
  if (enrolment.status === "completed") throw conflict("completions.metSince");
  if (kind === "restarted" && attemptId !== null) {
    const begun = await tx.selectFrom("sessions").where("attemptId", "=", attemptId).select("id").executeTakeFirst();
    if (begun) throw conflict("completions.begun");
    await tx.deleteFrom("attempts").where("id", "=", attemptId).execute();
  }
  if (before.set.length > 0)
    await tx.updateTable("completionDecisions").set({ endedAt: null }).where("id", "in", before.set).execute();
  const attempts = await selectAttempts(tx, enrolment.enrolmentId).execute();
  for (const { id, at } of before.completed) {
    const attempt = attempts.find((one) => one.id === id);
    if (attempt) await complete(ctx, tx, { id, rev: attempt.rev, at });
  }
  await restore(tx, enrolment, before.enrolment);
}

/** A withdrawal meanwhile stays. */
const restore = (tx: Tx, { enrolmentId, status }: EnrolmentRow, values: CompletionBefore["enrolment"]) =>
  tx
    .updateTable("enrolments")
    .set({ ...values, ...(status === "withdrawn" && { status }) })
    .where("id", "=", enrolmentId)
    .execute();
