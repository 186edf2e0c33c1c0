import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { type EndedReason, keepCourses, withdrawUnstarted } from "#server/courses/giving/leaving.ts";
import type { Pair, StoredRule } from "#server/enrolmentRules/meeting.ts";

/** Ends the reasons of rules that people no longer meet; their courses are then kept or withdrawn. */
export async function releasePeople(tx: Tx, rules: StoredRule[], userIds: string[], pairs: Pair[]) {
  const ruleIds = rules.map(({ id }) => id);
  const { rows: ended } = await sql<EndedReason>`
    with mine as materialized (
      select enrolments.id, enrolments.user_id, enrolments.course_id, enrolments.company_id
      from enrolments
      where ${isOneOf("enrolments.user_id", userIds)}
    ),
    holding as materialized (
      select mine.id, pairs.rule_id
      from unnest(
        ${pairs.map(({ ruleId }) => ruleId)}::uuid[],
        ${pairs.map(({ userId }) => userId)}::uuid[],
        ${pairs.map(({ companyId }) => companyId)}::uuid[]
      ) pairs (rule_id, user_id, company_id)
      join enrolment_rule_courses given on given.rule_id = pairs.rule_id
      join mine on mine.user_id = pairs.user_id
        and mine.company_id = pairs.company_id
        and mine.course_id = given.course_id
    )
    update enrolment_reasons
    set until = now(), ended = 'left'
    where enrolment_reasons.enrolment_id = any(array(select id from mine))
      and enrolment_reasons.kind = 'rule'
      and enrolment_reasons.until is null
      and ${isOneOf("enrolment_reasons.rule_id", ruleIds)}
      and not exists (
        select from holding
        where holding.id = enrolment_reasons.enrolment_id
          and holding.rule_id = enrolment_reasons.rule_id
      )
    returning enrolment_reasons.enrolment_id, enrolment_reasons.rule_id`.execute(tx);
  const keeping = new Set(rules.flatMap(({ id, leaving }) => (leaving === "keep" ? [id] : [])));
  const kept = ended.filter(({ ruleId }) => keeping.has(ruleId));
  await keepCourses(tx, kept);
  await withdrawUnstarted(
    tx,
    ended.filter(({ ruleId }) => !keeping.has(ruleId)),
  );
  await tx
    .deleteFrom("enrolmentRuleExceptions")
    .where(isOneOf("ruleId", ruleIds))
    .where(isOneOf("userId", userIds))
    .where(
      sql<boolean>`(rule_id, user_id) not in (
        select *
        from unnest(${pairs.map(({ ruleId }) => ruleId)}::uuid[], ${pairs.map(({ userId }) => userId)}::uuid[])
      )`,
    )
    .execute();
}
