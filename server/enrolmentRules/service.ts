import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { requestTurns } from "#server/enrolmentRules/jobs.ts";
import { keepCourses } from "#server/courses/giving/leaving.ts";
import { meets, readContext, selectPeople, type StoredRule } from "#server/enrolmentRules/meeting.ts";
import { getRule, RULE_SCOPE } from "#server/enrolmentRules/ruleRows.ts";
import { checkTerms, storeUses } from "#server/enrolmentRules/terms.ts";
import { lockGroups } from "#server/groups/membership.ts";
import { followsDays } from "#server/groups/rules.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type enrolmentRules, MAX_RULES, UNDO_HOURS } from "#shared/enrolmentRules/enrolmentRules.ts";

/** Rules of a company are saved under the lock of its groups; rules for all companies, under their own. */
const lockFor = (tx: Tx, companyId: string | null) => lockGroups(tx, companyId ?? "all companies");

/** 404 unless the company, or the whole academy for null, is in the scope of the user. */
export async function checkCompany(ctx: Pick<Ctx<User>, "db" | "user">, companyId: string | null) {
  const { rows } = await sql`
    select
    from (values (${companyId}::uuid)) asked (company_id)
    where ${inScope(ctx.user, { company: "asked.companyId" })}
      and (asked.company_id is null or exists (select from companies where companies.id = asked.company_id))`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw notFound();
}

export const createRule = (ctx: Ctx<User>, { courseIds, ...input }: BodyOf<typeof enrolmentRules.create>) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const { companyId, condition } = input;
    await checkCompany(scoped, companyId);
    await lockFor(tx, companyId);
    const { count } = await tx
      .selectFrom("enrolmentRules")
      .where("removedAt", "is", null)
      .where("companyId", companyId ? "=" : "is", companyId)
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= MAX_RULES) throw conflict("enrolmentRules.tooMany", undefined, { count: MAX_RULES });
    await checkTerms(tx, { ...input, courseIds });
    const { id } = await tx
      .insertInto("enrolmentRules")
      .values({
        ...input,
        condition: condition && JSON.stringify(condition),
        due: JSON.stringify(input.due),
        followsDays: followsDays(condition),
        updatedBy: ctx.user.id,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await storeCourses(tx, id, courseIds);
    await storeUses(tx, id, condition);
    await record(tx, ctx, { action: "enrolmentRules.create", object: { enrolmentRules: id }, companyId });
    return getRule(scoped, id);
  });

async function storeCourses(tx: Tx, ruleId: string, courseIds: string[]) {
  await tx.deleteFrom("enrolmentRuleCourses").where("ruleId", "=", ruleId).execute();
  await tx
    .insertInto("enrolmentRuleCourses")
    .values([...new Set(courseIds)].map((courseId) => ({ ruleId, courseId })))
    .execute();
}

/** Locks a rule in the scope of the user for a change; 404 if it is unknown, 409 if it changed since `version`. */
async function lockRule(ctx: Ctx<User>, tx: Tx, id: string, version?: number): Promise<StoredRule> {
  const select = () =>
    tx
      .selectFrom("enrolmentRules")
      .where("id", "=", id)
      .where("removedAt", "is", null)
      .where(inScope(ctx.user, RULE_SCOPE));
  const { companyId } = await select().select("companyId").executeTakeFirstOrThrow(notFound);
  await lockFor(tx, companyId);
  const rule = await select().selectAll().forUpdate().executeTakeFirstOrThrow(notFound);
  if (version === undefined || rule.version === version) return rule;
  const changedBy = await tx
    .selectFrom("users")
    .where("id", "=", rule.updatedBy)
    .select(sql<string>`coalesce(nullif(name, ''), email)`.as("name"))
    .executeTakeFirst();
  const current = await getRule({ ...ctx, db: tx }, id);
  throw conflict("core.conflict", { current, changedBy: changedBy?.name ?? null, changedAt: rule.updatedAt });
}

export const updateRule = (
  ctx: Ctx<User>,
  id: string,
  { version, courseIds, ...change }: BodyOf<typeof enrolmentRules.update>,
) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const rule = await lockRule(ctx, tx, id, version);
    const { courses } = await getRule(scoped, id);
    const given = courseIds ?? courses.map((course) => course.id);
    const { condition, due, ...rest } = change;
    const after = { ...rule, ...change };
    await checkTerms(tx, { ...after, courseIds: given });
    await tx
      .updateTable("enrolmentRules")
      .set({
        ...rest,
        ...(due && { due: JSON.stringify(due) }),
        ...(condition !== undefined && {
          condition: condition && JSON.stringify(condition),
          followsDays: followsDays(condition),
        }),
        version: version + 1,
        updatedAt: sql<string>`now()`,
        updatedBy: ctx.user.id,
      })
      .where("id", "=", id)
      .execute();
    if (courseIds) await storeCourses(tx, id, courseIds);
    await storeUses(tx, id, after.condition);
    const before = {
      courses: new Set(courses.map((course) => course.id)),
      condition: rule.condition,
      people: rule.people,
    };
    const isSame = isDeepStrictEqual(before, {
      courses: new Set(given),
      condition: after.condition,
      people: after.people,
    });
    if (rule.state === "active" && !isSame) await startRun(tx, ctx.user, after);
    await record(tx, ctx, {
      action: "enrolmentRules.update",
      object: { enrolmentRules: id },
      companyId: rule.companyId,
      details: { fields: [...Object.keys(change), ...(courseIds ? ["courses"] : [])] },
    });
    return getRule(scoped, id);
  });

/** Switches a rule on or pauses it. Pausing ends no reasons: learners keep their courses. */
export const setRuleState = (ctx: Ctx<User>, id: string, { state, version }: BodyOf<typeof enrolmentRules.setState>) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const rule = await lockRule(ctx, tx, id, version);
    if (rule.state === state) return getRule(scoped, id);
    if (rule.state === "draft" && state === "paused") throw conflict("enrolmentRules.notActive");
    await tx
      .updateTable("enrolmentRules")
      .set({ state, version: version + 1, updatedAt: sql<string>`now()`, updatedBy: ctx.user.id })
      .where("id", "=", id)
      .execute();
    if (state === "active") {
      if (await isUndoing(tx, id)) throw conflict("enrolmentRules.undoing");
      const { courses } = await getRule(scoped, id);
      await checkTerms(tx, { ...rule, courseIds: courses.map((course) => course.id) });
      await startRun(tx, ctx.user, rule);
    } else await stopRuns(tx, id);
    await record(tx, ctx, {
      action: state === "active" ? "enrolmentRules.activate" : "enrolmentRules.pause",
      object: { enrolmentRules: id },
      companyId: rule.companyId,
    });
    return getRule(scoped, id);
  });

const isUndoing = (tx: Tx, ruleId: string) =>
  tx
    .selectFrom("enrolmentRuleRuns")
    .where("ruleId", "=", ruleId)
    .where("state", "=", "undoing")
    .select("id")
    .executeTakeFirst();

const stopRuns = (tx: Tx, ruleId: string) =>
  tx
    .updateTable("enrolmentRuleRuns")
    .set({ state: "applied", appliedAt: sql<string>`now()` })
    .where("ruleId", "=", ruleId)
    .where("state", "=", "applying")
    .execute();

/**
 * Orders a job that applies the rule to everyone. If the rule is for future people, those who meet it now become
 * exceptions.
 */
async function startRun(
  tx: Tx,
  user: User,
  rule: Pick<StoredRule, "id" | "companyId" | "condition" | "due" | "people">,
) {
  await stopRuns(tx, rule.id);
  await tx.deleteFrom("enrolmentRuleExceptions").where("ruleId", "=", rule.id).execute();
  if (rule.people === "future") {
    const context = await readContext(tx, [rule]);
    await sql`
      with users as materialized (${selectPeople(rule.companyId)})
      insert into enrolment_rule_exceptions (rule_id, user_id)
      select ${rule.id}, users.id
      from users
      where ${meets(rule, context)}
        and not exists (
          select from enrolment_reasons
          join enrolments on enrolments.id = enrolment_reasons.enrolment_id
          where enrolments.user_id = users.id
            and enrolment_reasons.rule_id = ${rule.id}
            and enrolment_reasons.kind = 'rule'
            and enrolment_reasons.until is null
        )`.execute(tx);
  }
  await tx.insertInto("enrolmentRuleRuns").values({ ruleId: rule.id, state: "applying", madeBy: user.id }).execute();
  await requestTurns(tx);
}

/** Pauses the rule and orders a job that undoes its latest run. */
export const undoRun = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    const rule = await lockRule(ctx, tx, id);
    const { run } = await getRule(scoped, id);
    if (!run?.undoUntil) throw conflict("enrolmentRules.cannotUndo", undefined, { hours: UNDO_HOURS });
    await tx
      .updateTable("enrolmentRules")
      .set({ state: "paused", version: rule.version + 1, updatedAt: sql<string>`now()`, updatedBy: ctx.user.id })
      .where("id", "=", id)
      .execute();
    await tx
      .updateTable("enrolmentRuleRuns")
      .set({ state: "undoing", madeBy: ctx.user.id, turnAt: sql<string>`now()`, failures: 0 })
      .where("id", "=", run.id)
      .execute();
    await record(tx, ctx, {
      action: "enrolmentRules.undo",
      object: { enrolmentRules: id },
      companyId: rule.companyId,
      details: { added: run.added },
    });
    await requestTurns(tx);
    return getRule(scoped, id);
  });

/** Removes a rule. Learners keep the courses, and the reason still names the rule. */
export const removeRule = (ctx: Ctx<User>, id: string) =>
  inTransaction(ctx.db, async (tx) => {
    const rule = await lockRule(ctx, tx, id);
    await record(tx, ctx, {
      action: "enrolmentRules.remove",
      object: { enrolmentRules: id },
      companyId: rule.companyId,
    });
    await stopRuns(tx, id);
    await tx.deleteFrom("enrolmentRuleUses").where("ruleId", "=", id).execute();
    await tx.deleteFrom("enrolmentRuleExceptions").where("ruleId", "=", id).execute();
    await tx
      .updateTable("enrolmentRules")
      .set({ state: "paused", removedAt: sql<string>`now()`, condition: null, followsDays: false })
      .where("id", "=", id)
      .execute();
    const { rows } = await sql<{ enrolmentId: string; ruleId: string }>`
      update enrolment_reasons
      set until = now(), ended = 'removed', ended_by = ${ctx.user.id}
      where rule_id = ${id}
        and kind = 'rule'
        and until is null
      returning enrolment_id, rule_id`.execute(tx);
    await keepCourses(tx, rows);
  });
