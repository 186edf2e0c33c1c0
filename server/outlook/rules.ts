import { type RawBuilder, sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf, readCounted, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { isLeftToRules } from "#server/courses/reasons.ts";
import { isException, meets, readContext, selectPeople, type StoredRule } from "#server/enrolmentRules/meeting.ts";
import { RULE_SCOPE } from "#server/enrolmentRules/ruleRows.ts";
import { compileRule, type RuleContext } from "#server/groups/compile.ts";
import { namesIn, readRuleNames } from "#server/groups/rules.ts";
import { readTestValues } from "#server/outlook/testValues.ts";
import { getPerson, type Person } from "#server/outlook/person.ts";
import { listTests } from "#shared/conditions/conditions.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import type { ExplainedRule, outlooks, RuleVerdict } from "#shared/outlook/outlook.ts";

type Finding = { ruleId: string; canEnrol: boolean; isMet: boolean; isException: boolean; tests: boolean[] };
type Course = ExplainedRule["courses"][number];

/** The active rules that concern a learner, with what the learner meets of each, and the courses they have by it. */
export async function listExplainedRules(ctx: Ctx<User>, id: string, query: QueryOf<typeof outlooks.rules>) {
  const person = await getPerson(ctx, id);
  return inTransaction(ctx.db, async (tx) => {
    const { items, total } = await readCounted(query, (limit, offset) =>
      selectRules(ctx.user, person, query, limit, offset).execute(tx),
    );
    return { total, items: await explainRules(tx, person, items) };
  });
}

const selectRules = (
  user: User,
  { companyId }: Person,
  { q, courseId }: QueryOf<typeof outlooks.rules>,
  limit: number,
  offset: number,
) => sql<StoredRule & { total: number }>`
  select enrolment_rules.*, (count(*) over ())::int as total
  from enrolment_rules
  where state = 'active'
    and removed_at is null
    and (company_id is null or company_id = ${companyId})
    and ${inScope(user, RULE_SCOPE)}
    and ${q ? isFound(q) : sql`true`}
    and ${
      courseId
        ? sql`exists (
          select from enrolment_rule_courses given
          where given.rule_id = enrolment_rules.id
            and given.course_id = ${courseId}
        )`
        : sql`true`
    }
  order by lower(name), id
  limit ${limit}
  offset ${offset}`;

/** SQL condition: the words are in the name of the rule, or in one of its courses. */
const isFound = (words: string) => sql<boolean>`(
    ${searchFor(words, ["enrolmentRules.name"])}
    or exists (
      select from enrolment_rule_courses given
      join courses on courses.id = given.course_id
      where given.rule_id = enrolment_rules.id
        and ${searchFor(words, ["courses.title", "courses.code"])}
    )
  )`;

async function explainRules(tx: Tx, person: Person, rules: StoredRule[]): Promise<ExplainedRule[]> {
  const findings = await judge(tx, person, rules);
  const courses = await listCourses(tx, person, rules);
  const conditions = rules.map(({ condition }) => condition);
  const names = await readRuleNames(tx, conditions);
  const valueOf = await readTestValues(tx, person, conditions, names);
  return rules.flatMap((rule) => {
    const finding = findings.get(rule.id);
    if (!finding) return [];
    const given = courses.get(rule.id) ?? [];
    const tests = rule.condition ? listTests(rule.condition) : [];
    return [
      {
        id: rule.id,
        name: rule.name,
        verdict: verdictOf(rule, finding, given),
        condition: rule.condition,
        names: namesIn(names, rule.condition),
        tests: tests.map((test, at) => ({ isMet: finding.tests[at] ?? false, value: valueOf(test) })),
        courses: given,
      },
    ];
  });
}

function verdictOf({ people }: StoredRule, finding: Finding, courses: Course[]): RuleVerdict {
  if (!finding.isMet) return "unmet";
  const given = courses.filter(({ status }) => status !== "archived");
  if (given.some(({ has }) => has === "withdrawn")) return "withdrawn";
  if (given.every(({ has }) => has === "has")) return "gives";
  if (!finding.canEnrol) return "archived";
  if (people === "existing") return "existingOnly";
  return finding.isException ? "exception" : "waits";
}

/** What the person meets, by rule; each test for itself, too. */
async function judge(tx: Tx, { id }: Person, rules: StoredRule[]) {
  if (rules.length === 0) return new Map<string, Finding>();
  const context = await readContext(tx, rules);
  const { rows } = await sql<Finding>`
    with users as materialized (${selectPeople(null, [id])})
    ${sql.join(
      rules.map(
        (rule) => sql`
          select ${rule.id}::uuid as rule_id, users.can_enrol, ${meets(rule, context)} as is_met,
            ${isException(rule.id)} as is_exception, ${judgeTests(rule, context)} as tests
          from users`,
      ),
      sql` union all `,
    )}`.execute(tx);
  return new Map(rows.map((row) => [row.ruleId, row]));
}

function judgeTests({ condition }: StoredRule, context: RuleContext): RawBuilder<boolean[]> {
  const tests = condition ? listTests(condition) : [];
  const parts = tests.map((test) => compileRule({ match: "all", tests: [test] }, context));
  return sql<boolean[]>`array[${sql.join(parts)}]::boolean[]`;
}

/** The courses of rules, by rule, with whether the person has them; `left`: a rule or an undoing took it. */
async function listCourses(tx: Tx, { id, companyId }: Person, rules: StoredRule[]) {
  const { rows } = await sql<Course & { ruleId: string }>`
    select given.rule_id, courses.id, courses.title, courses.status,
      case
        when enrolments.id is null then 'not'
        when enrolments.status <> 'withdrawn' then 'has'
        when ${isLeftToRules} then 'left'
        else 'withdrawn'
      end as has
    from enrolment_rule_courses given
    join courses on courses.id = given.course_id
    left join enrolments
      on enrolments.course_id = courses.id
      and enrolments.user_id = ${id}
      and enrolments.company_id = ${companyId}
    where ${isOneOf(
      "given.rule_id",
      rules.map((rule) => rule.id),
    )}
    order by lower(courses.title), courses.id`.execute(tx);
  const byRule = new Map<string, Course[]>();
  for (const { ruleId, ...course } of rows) byRule.set(ruleId, [...(byRule.get(ruleId) ?? []), course]);
  return byRule;
}
