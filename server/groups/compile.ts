import { type RawBuilder, sql } from "kysely";
import { NUMBER_PATTERN, toNumber } from "#shared/conditions/compare.ts";
import type { PersonCondition, PersonTest, TestOf } from "#shared/conditions/conditions.ts";
import type { FieldKind } from "#shared/fields/fields.ts";

type Condition = RawBuilder<boolean>;
/**
 * What a rule is compiled with: the time zone of the company, or the column with that of each person, and the kinds of
 * the fields that it refers to.
 */
export type RuleContext = { zone: string | RawBuilder<string>; kinds: ReadonlyMap<string, FieldKind> };

/**
 * SQL condition: the user of `users`, a learner of the company, fulfils the rule. The same for everybody and for one
 * person, so that they cannot disagree, and the same as `holdsForPerson`.
 */
export function compileRule({ match, tests }: PersonCondition, context: RuleContext): Condition {
  const parts = tests.map((test) =>
    "tests" in test
      ? join(
          test.match,
          test.tests.map((one) => compileTest(one, context)),
        )
      : compileTest(test, context),
  );
  return join(match, parts);
}

const join = (match: "all" | "any", parts: Condition[]): Condition =>
  sql<boolean>`(${sql.join(parts, match === "all" ? sql` and ` : sql` or `)})`;
const not = (condition: Condition) => sql<boolean>`not ${condition}`;

function compileTest(test: PersonTest, { zone, kinds }: RuleContext): Condition {
  switch (test.kind) {
    case "field":
      return compileField(test, kinds.get(test.field) ?? "text");
    case "variable":
      return compileVariable(test);
    case "status": {
      const isStatus = sql<boolean>`users.status = ${test.status}`;
      return test.is === "is" ? isStatus : not(isStatus);
    }
    case "group": {
      const isMember = sql<boolean>`exists (
        select from group_members
        where group_members.person_id = users.id
          and group_members.group_id = ${test.group}
          and group_members.until is null
      )`;
      return test.is === "member" ? isMember : not(isMember);
    }
    case "joined":
      return compileJoined(test, zone);
    case "course": {
      const isCompleted = test.is === "completed" || test.is === "notCompleted";
      const hasIt = sql<boolean>`exists (
        select from enrolments
        where enrolments.user_id = users.id
          and enrolments.course_id = ${test.course}
          and enrolments.company_id = users.company_id
          and enrolments.status <> 'withdrawn'
          ${isCompleted ? sql`and ${wasCompleted}` : sql``}
      )`;
      return test.is === "has" || test.is === "completed" ? hasIt : not(hasIt);
    }
  }
}

/** SQL: the enrolment is completed, or was before the course opened again. */
const wasCompleted = sql`(
  enrolments.status = 'completed'
  or exists (
    select from enrolment_cycles
    where enrolment_cycles.enrolment_id = enrolments.id
  )
)`;

/** SQL: when a person could first log in, as far as it is known. */
export const joinedAt = sql`coalesce(users.joined_at, case when users.status <> 'invited' then users.created_at end)`;

function compileJoined(test: TestOf<"joined">, zone: RuleContext["zone"]): Condition {
  const joinedOn = sql`(${joinedAt} at time zone ${zone})::date`;
  if (test.is === "within")
    return sql<boolean>`coalesce(${joinedOn} > (now() at time zone ${zone})::date - ${test.days}::integer, false)`;
  const operator = test.is === "since" ? sql`>=` : sql`<`;
  return sql<boolean>`coalesce(${joinedOn} ${operator} ${test.day}::date, false)`;
}

const orders = { more: sql`>`, atLeast: sql`>=`, less: sql`<`, atMost: sql`<=` };
const hasValue = (field: string, condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (
        select from field_values
        where field_values.user_id = users.id
          and field_values.field_id = ${field}
          and ${condition}
      )`;

function compileField(test: TestOf<"field">, kind: FieldKind): Condition {
  if (!("value" in test)) {
    const isSet = hasValue(test.field, sql`true`);
    return test.is === "set" ? isSet : not(isSet);
  }
  const { field, is, value } = test;
  if (is === "notEqual") return not(compileField({ ...test, is: "equal" }, kind));
  if (kind === "number" && is !== "contains") {
    const operator = is === "equal" ? sql`=` : orders[is];
    return hasValue(field, sql`field_values.number ${operator} ${numberOrNull(value)}::double precision`);
  }
  if (kind === "date" && is !== "contains" && is !== "equal")
    return hasValue(field, sql`to_char(field_values.day, 'YYYY-MM-DD') collate "C" ${orders[is]} ${String(value)}`);
  const text = sql`coalesce(field_values.text, to_char(field_values.day, 'YYYY-MM-DD'), field_values.number::text)`;
  return hasValue(field, compareText(is, text, value));
}

/** Everything but lists, as `compare` does it. */
function compareText(is: TestOf<"variable">["is"], text: RawBuilder<unknown>, value: string | number | boolean) {
  const comparable = sql`lower(${trimmed(text)})`;
  const expected = String(value).trim().toLowerCase();
  if (is === "contains") return sql<boolean>`strpos(${comparable}, ${expected}) > 0`;
  const number = sql`case when ${comparable} ~ ${NUMBER_PATTERN} then (${comparable})::double precision end`;
  const expectedNumber = numberOrNull(value);
  if (is === "equal")
    return sql<boolean>`(
          ${comparable} = ${expected}
          or coalesce(${number} = ${expectedNumber}::double precision, false)
        )`;
  const order = orders[is as keyof typeof orders];
  return sql<boolean>`coalesce(${number} ${order} ${expectedNumber}::double precision, false)`;
}

const trimmed = (text: RawBuilder<unknown>) => sql`btrim(${text}, E' \\t\\n\\r\\f\\v\\u00a0\\u202f\\ufeff')`;
const numberOrNull = (value: string | number | boolean) => {
  const number = toNumber(value);
  return Number.isNaN(number) ? null : number;
};

/** The value of a variable per learner; sensitive ones are never asked for. */
function compileVariable(test: TestOf<"variable">): Condition {
  const { key, is } = test;
  const hasCurrent = (condition: RawBuilder<unknown>) =>
    sql<boolean>`exists (
        select from variable_current
        join variables on variables.id = variable_current.variable_id
        where variable_current.user_id = users.id
          and variable_current.company_id = users.company_id
          and variables.key = ${key}
          and variables.scope = 'learner'
          and variables.privacy <> 'sensitive'
          and variable_current.current not in ('null', '""', '[]')
          and ${condition}
      )`;
  if (!("value" in test)) return is === "set" ? hasCurrent(sql`true`) : not(hasCurrent(sql`true`));
  if (is === "notEqual") return not(compileVariable({ ...test, is: "equal" }));
  const isList = sql`jsonb_typeof(variable_current.current) = 'array'`;
  const one = compareText(is, sql`variable_current.current #>> '{}'`, test.value);
  if (is !== "contains" && is !== "equal") return hasCurrent(sql`(not ${isList} and ${one})`);
  const items = sql`jsonb_array_elements_text(
            case when ${isList} then variable_current.current else '[]' end
          ) item`;
  const expected = String(test.value).trim().toLowerCase();
  const ofList =
    is === "contains"
      ? sql`exists (select from ${items} where lower(${trimmed(sql`item`)}) = ${expected})`
      : sql`(select lower(${trimmed(sql`string_agg(item, ',')`)}) from ${items}) = ${expected}`;
  return hasCurrent(sql`case when ${isList} then ${ofList} else ${one} end`);
}
