import { sql } from "kysely";
import { requestTurns } from "#server/completionRules/jobs.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { isShown } from "#server/core/database/measured.ts";
import { checkRule, readParts } from "#server/courses/ruleChecks.ts";
import {
  type completionRules,
  type RuleChange,
  type TestOutcome,
  UNDO_HOURS,
} from "#shared/completionRules/ruleChanges.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Earlier rules that are listed. */
const MAX_RULES = 50;

const authorName = sql<string>`coalesce(nullif(users.name, ''), users.email, '')`;

const selectChanges = ({ db }: Pick<Ctx<User>, "db">) =>
  db
    .selectFrom("ruleChanges")
    .leftJoin("users", "users.id", "ruleChanges.madeBy")
    .select([
      "ruleChanges.id",
      "ruleChanges.courseId",
      "rule",
      "state",
      "keeps",
      "total",
      "counted",
      "events",
      "completeBefore",
      "uncounted",
      "becomes",
      "ends",
      "met",
      "madeAt",
      "appliedAt",
      authorName.as("madeBy"),
      sql<boolean>`state = 'applied' and applied_at > now() - make_interval(hours => ${UNDO_HOURS})`.as("canUndo"),
      sql<number>`(
        select count(*)::int
        from rule_change_rows changed
        join completion_history on completion_history.enrolment_id = changed.enrolment_id
        join certificates on certificates.completion_id = completion_history.id
        where changed.change_id = rule_changes.id
          and changed.change = 'ends'
          and certificates.revoked_at is null
          and not exists (
            select from certificates newer
            where newer.replaces = certificates.id
          )
      )`.as("certificates"),
    ]);

export async function getChange(ctx: Pick<Ctx<User>, "db">, id: string): Promise<RuleChange> {
  return (await selectChanges(ctx).where("ruleChanges.id", "=", id).executeTakeFirstOrThrow(notFound)) as RuleChange;
}

/** Counted rules of one author in a course that can still be applied, as from several windows. */
const MAX_TRIED = 5;

/** The learners of a course whom a rule concerns: not withdrawn, not erased. */
export async function countLearners(db: Db, courseId: string) {
  const { total } = await db
    .selectFrom("enrolments")
    .where("courseId", "=", courseId)
    .where("status", "!=", "withdrawn")
    .where("userId", "is not", null)
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return total;
}

/** Starts to count a rule. What its author is having counted in this course is dropped. */
export async function createChange(
  ctx: Ctx<User>,
  courseId: string,
  { rule }: BodyOf<typeof completionRules.create>,
): Promise<RuleChange> {
  const { db, user } = ctx;
  const course = await db
    .selectFrom("courses")
    .where("id", "=", courseId)
    .select(["version", "completionRule"])
    .executeTakeFirstOrThrow(notFound);
  const checked = await checkRule(db, courseId, rule);
  return inTransaction(db, async (tx) => {
    await tx
      .deleteFrom("ruleChanges")
      .where("courseId", "=", courseId)
      .where("madeBy", "=", user.id)
      .where("state", "in", ["counting", "counted"])
      .where((e) =>
        e.or([
          e("state", "=", "counting"),
          e(
            "id",
            "not in",
            e
              .selectFrom("ruleChanges as newest")
              .where("newest.courseId", "=", courseId)
              .where("newest.madeBy", "=", user.id)
              .where("newest.state", "=", "counted")
              .orderBy("newest.madeAt", "desc")
              .limit(MAX_TRIED - 1)
              .select("newest.id"),
          ),
        ]),
      )
      .execute();
    const total = await countLearners(tx, courseId);
    const { id } = await tx
      .insertInto("ruleChanges")
      .values({
        courseId,
        rule: JSON.stringify(checked),
        ruleBefore: JSON.stringify(course.completionRule),
        courseVersion: course.version,
        madeBy: user.id,
        state: "counting",
        total,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await requestTurns(tx);
    return getChange({ db: tx }, id);
  });
}

export async function listRows(
  ctx: Ctx<User>,
  id: string,
  { change, page, size }: QueryOf<typeof completionRules.rows>,
) {
  await getChange(ctx, id);
  const rows = ctx.db
    .selectFrom("ruleChangeRows")
    .innerJoin("enrolments", "enrolments.id", "ruleChangeRows.enrolmentId")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .where("ruleChangeRows.changeId", "=", id)
    .where(inScope(ctx.user, { company: "enrolments.companyId", person: "enrolments.userId" }))
    .$if(change !== undefined, (all) => all.where("ruleChangeRows.change", "=", change as "becomes"));
  const { total } = await rows.select((e) => e.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const items = await rows
    .select([
      "enrolments.id as enrolmentId",
      "users.id as userId",
      authorName.as("name"),
      "companies.name as company",
      "ruleChangeRows.change",
      "ruleChangeRows.happenedAt",
      sql<TestOutcome[]>`case
        when ${isShown(ctx.user, "scores", "enrolments.companyId")}
          and ${isShown(ctx.user, "activeTime", "enrolments.companyId")}
        then rule_change_rows.tests
        else (
          select jsonb_agg(test || '{"value": null}' order by place)
          from jsonb_array_elements(rule_change_rows.tests) with ordinality tests (test, place)
        )
      end`.as("tests"),
    ])
    .orderBy("ruleChangeRows.change")
    .orderBy("ruleChangeRows.happenedAt", "desc")
    .orderBy("enrolments.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

export async function listChoices({ db }: Ctx<User>, courseId: string) {
  await db.selectFrom("courses").where("id", "=", courseId).select("id").executeTakeFirstOrThrow(notFound);
  const rules = await db
    .selectFrom("completionRuleHistory")
    .leftJoin("users", "users.id", "completionRuleHistory.actorId")
    .where("courseId", "=", courseId)
    .orderBy("completionRuleHistory.id", "desc")
    .limit(MAX_RULES)
    .select(["completionRuleHistory.id", "rule", "ruleText as text", "happenedAt as at", authorName.as("by")])
    .execute();
  const variables = await db
    .selectFrom("variableCourses")
    .innerJoin("variables", "variables.id", "variableCourses.variableId")
    .where("courseId", "=", courseId)
    .where("variables.status", "!=", "archived")
    .where("variables.privacy", "!=", "sensitive")
    .where("variables.scope", "!=", "company")
    .orderBy("variableCourses.key")
    .select(["variableCourses.key", "variables.label"])
    .execute();
  const applied = await selectChanges({ db })
    .where("ruleChanges.courseId", "=", courseId)
    .where("ruleChanges.state", "in", ["applying", "applied", "undoing"])
    .orderBy(sql`state = 'applied'`)
    .orderBy("appliedAt", (order) => order.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  const shown = applied && (applied.canUndo || applied.state !== "applied") ? (applied as RuleChange) : null;
  return { parts: await readParts(db, courseId), variables, rules, applied: shown };
}
