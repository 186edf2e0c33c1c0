import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { endCourseSessions } from "#server/courses/courseSessions.ts";
import type { Pair, StoredRule } from "#server/enrolmentRules/meeting.ts";

type Ended = { enrolmentId: string; ruleId: string };

/** Ends the reasons of these rules that no longer hold for these people, and what follows from that. */
export async function releasePeople(tx: Tx, rules: StoredRule[], userIds: string[], pairs: Pair[]) {
  const ruleIds = rules.map(({ id }) => id);
  const { rows: ended } = await sql<Ended>`
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

/** The course stays, and its reason is that it was kept; nothing if it has another one. */
export const keepCourses = (tx: Tx, ended: Ended[]) =>
  sql`
    insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id)
    select distinct on (enrolments.id) enrolments.id, enrolments.company_id, 'kept', ended.rule_id
    from unnest(
      ${ended.map(({ enrolmentId }) => enrolmentId)}::uuid[],
      ${ended.map(({ ruleId }) => ruleId)}::uuid[]
    ) ended (enrolment_id, rule_id)
    join enrolments on enrolments.id = ended.enrolment_id
    where enrolments.status <> 'withdrawn'
      and enrolments.user_id is not null
      and not exists (
        select from enrolment_reasons other
        where other.enrolment_id = enrolments.id
          and other.until is null
      )
    order by enrolments.id, ended.rule_id
    on conflict do nothing`.execute(tx);

/**
 * Withdraws those of these enrolments that nobody has opened and that have no other reason; the others are kept.
 * Returns the withdrawn ones.
 */
export async function withdrawUnstarted(tx: Tx, ended: Ended[]): Promise<string[]> {
  if (ended.length === 0) return [];
  const isUnstarted = (ids: string[]) => sql<boolean>`${isOneOf("enrolments.id", ids)}
    and enrolments.status = 'assigned'
    and enrolments.first_started_at is null
    and not exists (
      select from attempts
      where attempts.enrolment_id = enrolments.id
        and not attempts.preview
    )
    and not exists (
      select from enrolment_reasons other
      where other.enrolment_id = enrolments.id
        and other.until is null
    )`;
  const ids = ended.map(({ enrolmentId }) => enrolmentId);
  const unstarted = await tx.selectFrom("enrolments").where(isUnstarted(ids)).select("id").orderBy("id").execute();
  // Sessions first: commits lock an attempt before its enrolment.
  const chosen = unstarted.map(({ id }) => id);
  await endCourseSessions(tx, "enrolmentId", chosen);
  const withdrawn = await tx
    .updateTable("enrolments")
    .set({ status: "withdrawn" })
    .where(isUnstarted(chosen))
    .returning("id")
    .execute();
  await keepCourses(tx, ended);
  return withdrawn.map(({ id }) => id);
}
