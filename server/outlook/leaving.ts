import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { meets, readContext, selectPeople, type StoredRule } from "#server/enrolmentRules/meeting.ts";
import { joinedAt } from "#server/groups/compile.ts";
import type { Person } from "#server/outlook/person.ts";
import { listTests, type PersonCondition, type PersonTest } from "#shared/conditions/conditions.ts";
import { addDays, daysBetween } from "#shared/core/dates.ts";
import type { OutlookEvent } from "#shared/outlook/outlook.ts";

/** Later than every day. */
const NEVER = "9999-12-31";

type Leaving = Extract<OutlookEvent, { kind: "leaves" }>;
type Held = {
  ruleId: string;
  rule: string;
  courseId: string;
  course: string;
  /** The rule withdraws courses that were never opened, and this one was not. */
  canWithdraw: boolean;
  /** The other reasons for the course: rules, and null for any other. */
  others: (string | null)[];
};

/** Courses whose rule no longer applies because its period after joining ends, from tomorrow until `until`. */
export async function listLeaving(tx: Tx, person: Person, until: string): Promise<Leaving[]> {
  const held = await listHeld(tx, person);
  const ids = [...new Set(held.map(({ ruleId }) => ruleId))];
  if (ids.length === 0) return [];
  const rules = await tx.selectFrom("enrolmentRules").where(isOneOf("id", ids)).selectAll().execute();
  const days = await findLastDays(tx, person, rules, until);
  return held.flatMap(({ ruleId, rule, courseId, course, canWithdraw, others }) => {
    const day = days.get(ruleId);
    if (!day) return [];
    const ends = (other: string | null) =>
      other !== null &&
      (days.get(other) ?? NEVER) <= day &&
      held.some((one) => one.ruleId === other && one.courseId === courseId && one.canWithdraw);
    return [{ kind: "leaves" as const, day, rule, courseId, course, isWithdrawn: canWithdraw && others.every(ends) }];
  });
}

/** What the person has by rules that ask for a period after joining. */
async function listHeld(tx: Tx, { id, companyId }: Person) {
  const { rows } = await sql<Held>`
    select rules.id as rule_id, rules.name as rule, courses.id as course_id, courses.title as course,
      rules.leaving = 'withdraw'
        and enrolments.status = 'assigned'
        and enrolments.first_started_at is null as can_withdraw,
      array(
        select case when other.kind = 'rule' then other.rule_id::text end
        from enrolment_reasons other
        where other.enrolment_id = enrolments.id
          and other.until is null
          and other.id <> reasons.id
      ) as others
    from enrolments
    join enrolment_reasons reasons
      on reasons.enrolment_id = enrolments.id and reasons.kind = 'rule' and reasons.until is null
    join enrolment_rules rules
      on rules.id = reasons.rule_id and rules.state = 'active' and rules.removed_at is null
    join courses on courses.id = enrolments.course_id
    where enrolments.user_id = ${id}
      and enrolments.company_id = ${companyId}
      and exists (
        select from enrolment_rule_uses uses
        where uses.rule_id = rules.id
          and uses.kind = 'joined'
      )
    order by lower(courses.title), courses.id, rules.id`.execute(tx);
  return rows;
}

/** The first day on which the person no longer meets each rule, if nothing but the day changes. */
async function findLastDays(tx: Tx, person: Person, rules: StoredRule[], until: string) {
  const joinedOn = await readJoinedOn(tx, person);
  const days = new Map<string, string>();
  if (joinedOn === null) return days;
  const ends = rules.flatMap((rule) =>
    listPeriods(rule.condition)
      .map((period) => addDays(joinedOn, period))
      .filter((day) => day > person.today && day <= until)
      .map((day) => ({ rule: { ...rule, condition: later(rule.condition, daysBetween(person.today, day)) }, day })),
  );
  if (ends.length === 0) return days;
  const context = await readContext(
    tx,
    ends.map(({ rule }) => rule),
  );
  const { rows } = await sql<{ ruleId: string; day: string }>`
    with users as materialized (${selectPeople(null, [person.id])})
    ${sql.join(
      ends.map(
        ({ rule, day }) => sql`
          select ${rule.id}::uuid as rule_id, ${day}::date as day
          from users
          where not ${meets(rule, context)}`,
      ),
      sql` union all `,
    )}
    order by day desc`.execute(tx);
  for (const { ruleId, day } of rows) days.set(ruleId, day);
  return days;
}

async function readJoinedOn(tx: Tx, { id, zone }: Person) {
  const { rows } = await sql<{ day: string | null }>`
    select (${joinedAt} at time zone ${zone})::date::text as day
    from users
    where users.id = ${id}`.execute(tx);
  return rows[0]?.day ?? null;
}

const listPeriods = (condition: PersonCondition | null) =>
  condition
    ? listTests(condition).flatMap((test) => (test.kind === "joined" && test.is === "within" ? [test.days] : []))
    : [];

/** The condition as it holds so many days later: periods after joining are shorter by these days. */
function later(condition: PersonCondition | null, days: number): PersonCondition | null {
  const shorten = (test: PersonTest): PersonTest =>
    test.kind === "joined" && test.is === "within" ? { ...test, days: test.days - days } : test;
  return (
    condition && {
      ...condition,
      tests: condition.tests.map((test) =>
        "tests" in test ? { ...test, tests: test.tests.map(shorten) } : shorten(test),
      ),
    }
  );
}
