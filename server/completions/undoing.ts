import { sql } from "kysely";
import { complete, decide, recordDecision, takeBack } from "#server/completions/decisions.ts";
import { type AttemptRow, type EnrolmentRow, isActiveSince, selectAttempts } from "#server/completions/enrolmentRow.ts";
import { explainEnrolment, readProgress } from "#server/completions/explaining.ts";
import { mailDecision } from "#server/completions/mails.ts";
import { findInScope, hasBegun, isFresh } from "#server/completions/service.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { restoreCompletion } from "#server/player/outcomes.ts";
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
  const open: AttemptRow = { ...attempt, completion: "incomplete", progress: before.attempt?.progress ?? null };
  const begun = attempts.slice(0, attempts.indexOf(attempt));
  await restore(tx, enrolment, decision, [...begun, open]);
  const session = await tx.selectFrom("sessions").where("attemptId", "=", attempt.id).select("id").executeTakeFirst();
  if (before.attempt === null && !session) await tx.deleteFrom("attempts").where("id", "=", attempt.id).execute();
  else {
    const { progress } = await readProgress(tx, enrolment, open);
    await tx.updateTable("attempts").set({ progress }).where("id", "=", attempt.id).execute();
  }
  await mailDecision(ctx, tx, enrolment.enrolmentId, "reopened");
}

/** Whether an attempt that was set complete meets the rule by what the learner has done since. */
async function hasMetRule(tx: Tx, enrolment: EnrolmentRow, attempt: AttemptRow, since: string) {
  const { rule, userId, companyId, courseId, enrolmentId } = enrolment;
  const { metAt, isWhole } = await replayAttempt(
    tx,
    { ...attempt, userId, companyId, courseId, enrolmentId },
    rule,
    since,
  );
  if (metAt !== null || isWhole || !isActiveSince(attempt, since)) return metAt !== null;
  const { state } = await explainEnrolment(tx, enrolment, attempt, "admin");
  return state?.(() => null).isMet === true;
}

async function undoTakenBack(ctx: Ctx<User>, tx: Tx, decision: Row, enrolment: EnrolmentRow) {
  const { before, kind, attemptId } = decision;
  const { enrolmentId } = enrolment;
  if (enrolment.status === "completed") throw conflict("completions.metSince");
  if (kind === "restarted" && attemptId !== null) {
    if (await hasBegun(tx, enrolmentId, attemptId)) throw conflict("completions.begun");
    await tx.deleteFrom("attempts").where("id", "=", attemptId).execute();
  }
  if (before.set.length > 0)
    await tx.updateTable("completionDecisions").set({ endedAt: null }).where("id", "in", before.set).execute();
  if (before.external && before.external.length > 0)
    await tx.updateTable("externalCompletions").set({ endedAt: null }).where("id", "in", before.external).execute();
  const attempts = await selectAttempts(tx, enrolmentId).execute();
  for (const { id, at } of before.completed) {
    const attempt = attempts.find((one) => one.id === id);
    if (attempt) await complete(ctx, tx, { id, rev: attempt.rev, at }, restoreCompletion);
  }
  await restore(tx, enrolment, decision, attempts);
  if (before.completed.length > 0) await mailDecision(ctx, tx, enrolmentId, "restored");
}

/** Restores an enrolment as it was before a decision, with what the learner has done in its attempts since. */
async function restore(tx: Tx, enrolment: EnrolmentRow, { before, madeAt }: Row, attempts: AttemptRow[]) {
  const was = before.enrolment;
  const active = attempts.filter((attempt) => isActiveSince(attempt, madeAt));
  const [latest] = active;
  const values = latest ? { ...was, ...(await addSince(tx, enrolment, was, [latest, ...active.slice(1)])) } : was;
  await tx.updateTable("enrolments").set(values).where("id", "=", enrolment.enrolmentId).execute();
}

type Outcome = CompletionBefore["enrolment"];

/** What an enrolment shows by its attempts since, the latest first; as a commit adds it (commitWriter.ts). */
async function addSince(tx: Tx, enrolment: EnrolmentRow, was: Outcome, attempts: [AttemptRow, ...AttemptRow[]]) {
  const [latest] = attempts;
  const done = [];
  for (const attempt of attempts) done.push(await readProgress(tx, enrolment, attempt));
  const { first } = await tx
    .selectFrom("sessions")
    .where("attemptId", "=", latest.id)
    .select((e) => e.fn.min("startedAt").as("first"))
    .executeTakeFirstOrThrow();
  const isComplete = was.status === "completed";
  const results = [was.success, ...attempts.map(({ success }) => success)];
  const known = attempts.find(({ success }) => success !== "unknown" && !(isComplete && success === "failed"));
  return {
    success: results.includes("passed") ? ("passed" as const) : (known?.success ?? was.success),
    scorePercent: greatest([was.scorePercent, ...attempts.map(({ scorePercent }) => scorePercent)]),
    partsDone: Math.max(was.partsDone, ...done.map(({ partsDone }) => partsDone)),
    currentPart: latest.currentPart ?? was.currentPart,
    firstStartedAt: was.firstStartedAt ?? first,
    ...(!isComplete && {
      status: latest.success === "failed" ? ("failed" as const) : ("in_progress" as const),
      progress: greatest([was.progress, ...done.map(({ progress }) => progress)]),
    }),
  };
}

const greatest = (numbers: (number | null)[]) => {
  const known = numbers.filter((one) => one !== null);
  return known.length > 0 ? Math.max(...known) : null;
};
