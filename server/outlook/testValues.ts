import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { joinedAt } from "#server/groups/compile.ts";
import { valuesOfUser } from "#server/fields/values.ts";
import type { Person } from "#server/outlook/person.ts";
import { listTests, type PersonCondition, type PersonTest } from "#shared/conditions/conditions.ts";
import type { FieldValues } from "#shared/fields/fields.ts";

const MAX_SHOWN = 200;

/**
 * What is known of a person, in the form in which conditions ask for it: a text, number or name of a choice; a day as
 * `2026-03-29`; the status of a person or enrolment. Null: nothing, or the test says it all.
 */
export async function readTestValues(
  tx: Tx,
  person: Person,
  conditions: (PersonCondition | null)[],
  names: Readonly<Record<string, string>>,
): Promise<(test: PersonTest) => string | null> {
  const tests = conditions.flatMap((condition) => (condition ? listTests(condition) : []));
  const { joinedOn, fields } = await readFacts(tx, person);
  const variables = await readVariables(
    tx,
    person,
    tests.flatMap((test) => (test.kind === "variable" ? [test.key] : [])),
  );
  const statuses = await readStatuses(
    tx,
    person,
    tests.flatMap((test) => (test.kind === "course" ? [test.course] : [])),
  );
  const choices = await readChoiceNames(
    tx,
    tests.flatMap((test) => (test.kind === "field" ? [test.field] : [])),
  );
  const shorten = (value: unknown) =>
    value === null || value === undefined
      ? null
      : (Array.isArray(value) ? value.join(", ") : String(value)).slice(0, MAX_SHOWN);
  return (test) => {
    switch (test.kind) {
      case "field": {
        const value = shorten(fields[test.field]);
        return value === null ? null : (choices.get(value) ?? names[value] ?? value);
      }
      case "variable":
        return shorten(variables.get(test.key));
      case "course":
        return statuses.get(test.course) ?? null;
      case "joined":
        return joinedOn;
      case "status":
        return person.status;
      case "group":
        return null;
    }
  };
}

async function readFacts(tx: Tx, { id, zone }: Person) {
  const { rows } = await sql<{ joinedOn: string | null; fields: FieldValues }>`
    select (${joinedAt} at time zone ${zone})::date::text as joined_on, ${valuesOfUser} as fields
    from users
    where users.id = ${id}`.execute(tx);
  return rows[0] ?? { joinedOn: null, fields: {} };
}

/** Values of a learner by the keys of their variables; sensitive ones are not read. */
async function readVariables(tx: Tx, { id, companyId }: Person, keys: string[]) {
  const { rows } = await sql<{ key: string; value: unknown }>`
    select variables.key, variable_current.current as value
    from variable_current
    join variables on variables.id = variable_current.variable_id
    where variable_current.user_id = ${id}
      and variable_current.company_id = ${companyId}
      and variables.key = any(${keys}::text[])
      and variables.scope = 'learner'
      and variables.privacy <> 'sensitive'`.execute(tx);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

async function readStatuses(tx: Tx, { id, companyId }: Person, courseIds: string[]) {
  const { rows } = await sql<{ courseId: string; status: string }>`
    select distinct on (course_id) course_id, status
    from enrolments
    where user_id = ${id}
      and company_id = ${companyId}
      and course_id = any(${courseIds}::uuid[])
    order by course_id, cycle desc`.execute(tx);
  return new Map(rows.map(({ courseId, status }) => [courseId, status]));
}

/** Names of all choices of these fields: the person's own need not be the one that a rule asks for. */
async function readChoiceNames(tx: Tx, fieldIds: string[]) {
  const rows = await tx
    .selectFrom("fields")
    .where(sql<boolean>`id = any(${fieldIds}::uuid[])`)
    .select("choices")
    .execute();
  return new Map(rows.flatMap(({ choices }) => choices.map(({ id, name }) => [id, name] as const)));
}
