import { record } from "#server/audit/service.ts";
import { requestTurns } from "#server/completionRules/jobs.ts";
import { countLearners, getChange } from "#server/completionRules/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { updateCourse } from "#server/courses/service.ts";
import { type completionRules, UNDO_HOURS } from "#shared/completionRules/ruleChanges.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Counters of a new pass over all learners. */
const NEW_PASS = {
  cursor: null,
  counted: 0,
  events: 0,
  completeBefore: 0,
  uncounted: 0,
  becomes: 0,
  ends: 0,
  met: [] as number[],
  failures: 0,
};

/** Whether two stored rules are the same one. */
const isSame = (a: CompletionRule, b: CompletionRule) => JSON.stringify(a) === JSON.stringify(b);

const lockChange = (tx: Tx, id: string) =>
  tx.selectFrom("ruleChanges").where("id", "=", id).selectAll().forUpdate().executeTakeFirstOrThrow(notFound);

/** 409 while the effects of another rule of the course are under way. */
async function checkIdle(tx: Tx, courseId: string) {
  const busy = await tx
    .selectFrom("ruleChanges")
    .where("courseId", "=", courseId)
    .where("state", "in", ["applying", "undoing"])
    .select("id")
    .executeTakeFirst();
  if (busy) throw conflict("completionRules.busy");
}

/** Makes a rule that was counted that of its course, and has a job apply it to all learners. */
export const applyChange = (ctx: Ctx<User>, id: string, { keeps, version }: BodyOf<typeof completionRules.apply>) =>
  inTransaction(ctx.db, async (tx) => {
    const change = await lockChange(tx, id);
    if (change.state !== "counted") throw conflict("completionRules.notCounted");
    // The course is locked first, so that two changes cannot both find it idle.
    const { completionRule } = await tx
      .selectFrom("courses")
      .where("id", "=", change.courseId)
      .select("completionRule")
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    await checkIdle(tx, change.courseId);
    if (!isSame(completionRule, change.ruleBefore)) throw conflict("completionRules.countAgain");
    const after = await updateCourse({ ...ctx, db: tx }, change.courseId, { version, completionRule: change.rule });
    await tx.deleteFrom("ruleChangeRows").where("changeId", "=", id).execute();
    await tx
      .updateTable("ruleChanges")
      .set({
        ...NEW_PASS,
        state: "applying",
        keeps,
        rule: JSON.stringify(after.completionRule),
        total: await countLearners(tx, change.courseId),
        madeBy: ctx.user.id,
        turnAt: new Date().toISOString(),
      })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, {
      action: "completionRules.apply",
      courseId: change.courseId,
      details: { becomes: change.becomes, ends: keeps ? 0 : change.ends },
    });
    await requestTurns(tx);
    return getChange({ db: tx }, id);
  });

/** Brings the earlier rule back, unless the rule was changed again, and has a job undo what the later one has done. */
export const undoChange = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const change = await lockChange(tx, id);
    const course = await tx
      .selectFrom("courses")
      .where("id", "=", change.courseId)
      .select(["version", "completionRule"])
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const { canUndo } = await getChange({ db: tx }, id);
    if (!canUndo) throw conflict("completionRules.cannotUndo", undefined, { hours: UNDO_HOURS });
    if (!isSame(course.completionRule, change.rule)) throw conflict("completionRules.changedSince");
    await checkIdle(tx, change.courseId);
    const { version } = course;
    await updateCourse({ ...ctx, db: tx }, change.courseId, { version, completionRule: change.ruleBefore });
    const { total } = await tx
      .selectFrom("ruleChangeRows")
      .where("changeId", "=", id)
      .where("applied", "=", true)
      .select((e) => e.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    await tx
      .updateTable("ruleChanges")
      .set({
        state: "undoing",
        cursor: null,
        counted: 0,
        total: total + (await countLearners(tx, change.courseId)),
        madeBy: ctx.user.id,
        turnAt: new Date().toISOString(),
        failures: 0,
      })
      .where("id", "=", id)
      .execute();
    await record(tx, ctx, { action: "completionRules.undo", courseId: change.courseId });
    await requestTurns(tx);
    return getChange({ db: tx }, id);
  });
