import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { dueOn, meets, readContext, type RuleTerms, selectPeople } from "#server/enrolmentRules/meeting.ts";
import type { Preview } from "#shared/enrolmentRules/enrolmentRules.ts";

/** Rules that are compared; the first ones by name. */
const MAX_COMPARED = 50;

/** Active rules that ask people who meet both for one of the courses by another day. The earlier day counts. */
export async function findConflicts(tx: Tx, terms: RuleTerms, courseIds: string[]): Promise<Preview["conflicts"]> {
  const { rows: others } = await sql<{ id: string; course: string }>`
    select rules.id, courses.title as course
    from enrolment_rules rules
    join enrolment_rule_courses given on given.rule_id = rules.id
    join courses on courses.id = given.course_id
    where rules.state = 'active'
      and rules.removed_at is null
      and rules.id is distinct from ${terms.id}::uuid
      and ${isOneOf("given.course_id", courseIds)}
      and (${terms.companyId}::uuid is null or rules.company_id is null or rules.company_id = ${terms.companyId}::uuid)
    order by lower(rules.name), rules.id, lower(courses.title)
    limit ${MAX_COMPARED}`.execute(tx);
  if (others.length === 0) return [];
  const rules = await tx
    .selectFrom("enrolmentRules")
    .where(
      isOneOf(
        "id",
        others.map(({ id }) => id),
      ),
    )
    .selectAll()
    .execute();
  const context = await readContext(tx, [terms, ...rules]);
  const day = (due: ReturnType<typeof dueOn>) => sql`coalesce(${due}, 'infinity'::date)`;
  const parts = rules.map(
    (rule) => sql`
      select ${rule.id}::uuid as id, count(*)::int as people,
        (count(*) filter (where ${day(dueOn(rule.due))} < ${day(dueOn(terms.due))}))::int as earlier
      from users
      where ${meets(terms, context)}
        and ${meets(rule, context)}
        and ${day(dueOn(rule.due))} <> ${day(dueOn(terms.due))}`,
  );
  const { rows: counted } = await sql<{ id: string; people: number; earlier: number }>`
    with users as materialized (${selectPeople(terms.companyId)})
    ${sql.join(parts, sql` union all `)}`.execute(tx);
  return others.flatMap(({ id, course }) => {
    const rule = rules.find((one) => one.id === id);
    const figures = counted.find((one) => one.id === id);
    if (!rule || !figures?.people) return [];
    return [{ course, ruleId: id, rule: rule.name, people: figures.people, earlier: figures.earlier, due: rule.due }];
  });
}
