import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { takeEarlierDay } from "#server/courses/giving/askedDays.ts";
import { enrolWanted, notifyEnrolled, settleNewReasons } from "#server/courses/giving/enrolling.ts";
import { releasePeople } from "#server/enrolmentRules/leaving.ts";
import { findPairs, type Pair, type StoredRule } from "#server/enrolmentRules/meeting.ts";

/** People per statement that compares them with rules. */
export const BATCH = 500;

/** SQL: `pairs (rule_id, user_id, company_id, due_date)`. */
export const listPairs = (pairs: Pair[]) => sql`unnest(
    ${pairs.map(({ ruleId }) => ruleId)}::uuid[],
    ${pairs.map(({ userId }) => userId)}::uuid[],
    ${pairs.map(({ companyId }) => companyId)}::uuid[],
    ${pairs.map(({ dueDate }) => dueDate)}::date[]
  ) pairs (rule_id, user_id, company_id, due_date)`;

type Run = { id: string; madeBy: string | null };

/**
 * Checks people against rules: enrols those who meet them, adds the reason to courses that they already have, and ends
 * the reason for those who no longer meet them. Returns the new and restored enrolments.
 */
export async function checkPeople(tx: Tx, rules: StoredRule[], userIds: string[], run: Run | null = null) {
  await lockCourses(tx, rules, userIds);
  const pairs = await findPairs(tx, rules, userIds, run !== null);
  const added = await enrol(
    tx,
    pairs.filter(({ enrols }) => enrols),
    run,
  );
  await releasePeople(tx, rules, userIds, pairs);
  return added;
}

/**
 * Locks the courses that rules give people or have given them, by id as assignments do. Call before reading enrolments,
 * so that a simultaneous assignment waits or is seen.
 */
async function lockCourses(tx: Tx, rules: StoredRule[], userIds: string[]) {
  const ruleIds = rules.map(({ id }) => id);
  await sql`
    select
    from courses
    where id in (
      select course_id
      from enrolment_rule_courses
      where ${isOneOf("rule_id", ruleIds)}
      union
      select enrolments.course_id
      from enrolments
      join enrolment_reasons on enrolment_reasons.enrolment_id = enrolments.id
      where ${isOneOf("enrolments.user_id", userIds)}
        and ${isOneOf("enrolment_reasons.rule_id", ruleIds)}
        and enrolment_reasons.until is null
    )
    order by id
    for key share`.execute(tx);
}

async function enrol(tx: Tx, pairs: Pair[], run: Run | null): Promise<string[]> {
  if (pairs.length === 0) return [];
  const userIds = [...new Set(pairs.map(({ userId }) => userId))];
  const added = await enrolWanted(tx, userIds, listWanted(pairs));
  await addReasons(tx, pairs, run?.madeBy ?? null);
  return added;
}

/** SQL: the courses that people get by these pairs, with the earliest day of several rules. */
const listWanted = (pairs: Pair[]) => sql`
  select distinct on (pairs.user_id, courses.id)
    pairs.user_id, pairs.company_id, courses.id as course_id, pairs.due_date
  from ${listPairs(pairs)}
  join enrolment_rule_courses given on given.rule_id = pairs.rule_id
  join courses on courses.id = given.course_id and courses.status <> 'archived'
  order by pairs.user_id, courses.id, pairs.due_date nulls last`;

/**
 * SQL: the enrolments of these people that are not withdrawn. Materialized: with old statistics of a table that has
 * just grown, the plan would search all enrolments of a course for each pair.
 */
const listMine = (pairs: Pair[]) => sql`mine as materialized (
    select id, user_id, course_id, company_id
    from enrolments
    where ${isOneOf("user_id", [...new Set(pairs.map(({ userId }) => userId))])}
      and status <> 'withdrawn'
  )`;

/** Adds missing reasons to enrolments of these pairs; they replace the reason "kept". */
async function addReasons(tx: Tx, pairs: Pair[], madeBy: string | null) {
  const { rows } = await sql<{ id: string; enrolmentId: string }>`
    with ${listMine(pairs)},
    had as materialized (
      select enrolment_id, rule_id
      from enrolment_reasons
      where enrolment_id = any(array(select id from mine))
        and kind = 'rule'
        and until is null
    )
    insert into enrolment_reasons (enrolment_id, company_id, kind, rule_id, due_date, made_by)
    select mine.id, mine.company_id, 'rule', pairs.rule_id, pairs.due_date, ${madeBy}::uuid
    from ${listPairs(pairs)}
    join enrolment_rule_courses given on given.rule_id = pairs.rule_id
    join courses on courses.id = given.course_id and courses.status <> 'archived'
    join mine on mine.user_id = pairs.user_id
      and mine.course_id = given.course_id
      and mine.company_id = pairs.company_id
    left join had on had.enrolment_id = mine.id and had.rule_id = pairs.rule_id
    where had.rule_id is null
    on conflict do nothing
    returning id::text, enrolment_id`.execute(tx);
  if (rows.length === 0) return;
  const enrolmentIds = [...new Set(rows.map(({ enrolmentId }) => enrolmentId))];
  await settleNewReasons(tx, enrolmentIds);
  await takeEarlierDay(
    tx,
    enrolmentIds,
    rows.map(({ id }) => id),
  );
}

/**
 * The active rules that may concern these people, limited to `only` if given; locked against changes until the
 * transaction ends.
 */
export async function lockActiveRules(tx: Tx, userIds: string[], only?: Set<string>) {
  const { rows } = await sql<{ id: string }>`
    select id
    from enrolment_rules
    where state = 'active'
      and removed_at is null
      and ${only ? isOneOf("id", [...only]) : sql`true`}
      and (
        company_id is null
        or company_id in (select users.company_id from users where ${isOneOf("users.id", userIds)})
        or id in (
          select enrolment_reasons.rule_id
          from enrolment_reasons
          join enrolments on enrolments.id = enrolment_reasons.enrolment_id
          where ${isOneOf("enrolments.user_id", userIds)}
            and enrolment_reasons.kind = 'rule'
            and enrolment_reasons.until is null
        )
      )
    order by id
    for share`.execute(tx);
  const ids = rows.map(({ id }) => id);
  return tx.selectFrom("enrolmentRules").where(isOneOf("id", ids)).selectAll().orderBy("id").execute();
}

/**
 * Enrols people in the transaction that creates them, moves them or lets them join. A job follows later changes of this
 * transaction. Returns the new and restored enrolments.
 */
export async function enrolByRules(tx: Tx, userIds: string[]): Promise<string[]> {
  const added: string[] = [];
  for (let at = 0; at < userIds.length; at += BATCH) {
    const people = userIds.slice(at, at + BATCH);
    const rules = await lockActiveRules(tx, people);
    await lockCourses(tx, rules, people);
    const pairs = (await findPairs(tx, rules, people, false)).filter(({ enrols }) => enrols);
    added.push(...(await enrol(tx, pairs, null)));
  }
  return added;
}

/** Orders the emails about new enrolments, for rules that send them. */
export async function notifyOf(tx: Tx, enrolmentIds: string[]) {
  const { rows } = await sql<{ id: string }>`
    select distinct enrolment_id as id
    from enrolment_reasons
    join enrolment_rules on enrolment_rules.id = enrolment_reasons.rule_id and enrolment_rules.notify
    where ${isOneOf("enrolment_id", enrolmentIds)}
      and enrolment_reasons.kind = 'rule'
      and enrolment_reasons.until is null`.execute(tx);
  await notifyEnrolled(
    tx,
    rows.map(({ id }) => id),
  );
}
