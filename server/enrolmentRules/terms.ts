import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { badField } from "#server/core/http/problem.ts";
import { listAskedCourses } from "#server/groups/circles.ts";
import { checkRule } from "#server/groups/rules.ts";
import { listTests, type PersonCondition } from "#shared/conditions/conditions.ts";
import type { RuleInput } from "#shared/enrolmentRules/enrolmentRules.ts";

// Which rules are valid, and what they depend on

/** Stands for “all companies”: no groups belong to it, so such a rule can refer only to fields of the academy. */
const NO_COMPANY = "00000000-0000-0000-0000-000000000000";

type Terms = Pick<RuleInput, "condition" | "courseIds" | "leaving"> & { companyId: string | null };

/**
 * Refuses a rule that refers to something unknown, can never be true, or could take away its own courses. Call under
 * the lock of the company's groups.
 */
export async function checkTerms(tx: Tx, { companyId, condition, courseIds, leaving }: Terms) {
  const { found } = await tx
    .selectFrom("courses")
    .where(isOneOf("id", courseIds))
    .select((e) => e.fn.countAll<number>().as("found"))
    .executeTakeFirstOrThrow();
  if (found < new Set(courseIds).size) throw badField("courseIds", "enrolmentRules.goneCourse");
  if (!condition) return;
  await checkRule(tx, companyId ?? NO_COMPANY, condition, null);
  const asked = await listAskedCourses(tx, condition);
  if (asked.some(({ course }) => courseIds.includes(course))) throw badField("condition", "enrolmentRules.ownCourse");
  // Otherwise two rules that withdraw could trigger each other without end.
  if (leaving === "withdraw" && asked.some(({ is }) => is === "has" || is === "hasNot"))
    throw badField("leaving", "enrolmentRules.withdrawsByCourse");
}

/** Stores what a rule depends on, so that only changes that concern it are checked. */
export async function storeUses(tx: Tx, ruleId: string, condition: PersonCondition | null) {
  await tx.deleteFrom("enrolmentRuleUses").where("ruleId", "=", ruleId).execute();
  const uses = condition ? listTests(condition).map((test) => ({ kind: test.kind, target: targetOf(test) })) : [];
  await sql`
    insert into enrolment_rule_uses (rule_id, kind, target)
    select ${ruleId}, *
    from unnest(${uses.map(({ kind }) => kind)}::text[], ${uses.map(({ target }) => target)}::text[])
    on conflict do nothing`.execute(tx);
}

function targetOf(
  test: ReturnType<typeof listTests<"field" | "group" | "joined" | "status" | "course" | "variable">>[0],
) {
  if (test.kind === "field") return test.field;
  if (test.kind === "group") return test.group;
  if (test.kind === "course") return test.course;
  return test.kind === "variable" ? test.key : "";
}
