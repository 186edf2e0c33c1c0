import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { badField } from "#server/core/http/problem.ts";
import { groupsIn } from "#server/groups/membership.ts";
import { listTests, type PersonCondition } from "#shared/conditions/conditions.ts";

/** The courses that a condition asks for, through groups as well. */
export async function listAskedCourses(tx: Tx, condition: PersonCondition) {
  const asked: { course: string; is: string }[] = [];
  const seen = new Set<string>();
  let next: PersonCondition[] = [condition];
  while (next.length > 0) {
    for (const one of next) for (const test of listTests(one)) if (test.kind === "course") asked.push(test);
    const ids = next.flatMap(groupsIn).filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    const groups = await tx.selectFrom("groups").where(isOneOf("id", ids)).select("rule").execute();
    next = groups.flatMap(({ rule }) => rule ?? []);
  }
  return asked;
}

/**
 * Refuses the rule of a group by which an enrolment rule would take away by itself what it gives. Call under
 * `lockGroups`, as enrolment rules are checked.
 */
export async function checkEnrolmentRules(tx: Tx, groupId: string, rule: PersonCondition) {
  const asked = await listAskedCourses(tx, rule);
  if (asked.length === 0) return;
  const { rows } = await sql<{ name: string; leaving: string; courseIds: string[] }>`
    with recursive asking as (
      select ${groupId}::uuid as id
      union
      select uses.group_id
      from asking
      join group_rule_uses uses on uses.kind = 'group' and uses.target = asking.id::text
    )
    select rules.name, rules.leaving,
      array(select course_id from enrolment_rule_courses where rule_id = rules.id) as course_ids
    from enrolment_rules rules
    where rules.state = 'active'
      and rules.removed_at is null
      and exists (
        select from enrolment_rule_uses uses
        join asking on uses.kind = 'group' and uses.target = asking.id::text
        where uses.rule_id = rules.id
      )
    order by lower(rules.name), rules.id`.execute(tx);
  for (const { name, leaving, courseIds } of rows) {
    if (asked.some(({ course }) => courseIds.includes(course))) throw badField("rule", "groups.givenCourse", { name });
    if (leaving === "withdraw" && asked.some(({ is }) => is === "has" || is === "hasNot"))
      throw badField("rule", "groups.withdrawsByCourse", { name });
  }
}
