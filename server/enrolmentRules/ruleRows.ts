import { sql } from "kysely";
import { isOneOf, orderBy, readPage, searchFor } from "#server/core/database/listing.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { namesIn, readRuleNames } from "#server/groups/rules.ts";
import {
  type enrolmentRules,
  type Rule,
  type RuleDetail,
  type Run,
  UNDO_HOURS,
} from "#shared/enrolmentRules/enrolmentRules.ts";
import type { QueryOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** A rule for all companies is only in the scope of the whole academy. */
export const RULE_SCOPE = { company: "enrolmentRules.companyId" };
export type Reader = Pick<Ctx<User>, "db" | "user">;
/** Names shown of people who keep a course because they have opened it. */
const SHOWN = 5;

const rulesInScope = ({ db, user }: Reader) =>
  db.selectFrom("enrolmentRules").where("enrolmentRules.removedAt", "is", null).where(inScope(user, RULE_SCOPE));

export async function listRules(ctx: Ctx<User>, query: QueryOf<typeof enrolmentRules.list>) {
  let rows = rulesInScope(ctx);
  const { companyId } = query;
  if (companyId) rows = rows.where((e) => e.or([e("companyId", "=", companyId), e("companyId", "is", null)]));
  if (query.state) rows = rows.where("state", "=", query.state);
  if (query.q) rows = rows.where(searchFor(query.q, ["enrolmentRules.name"]));
  const order = orderBy(
    query.sort,
    { name: { notNull: sql`lower(enrolment_rules.name)` }, updatedAt: { notNull: sql`enrolment_rules.updated_at` } },
    { text: query.q, columns: ["enrolmentRules.name"] },
  );
  return readPage(query, {
    ids: rows.orderBy(order).orderBy("enrolmentRules.id").select("enrolmentRules.id"),
    total: rows.select((e) => e.fn.countAll<number>().as("total")),
    rows: (ids) => readRules(ctx, ids),
  });
}

/** SQL: number of people who now have a course because of the rule. */
const countPeople = (condition: ReturnType<typeof sql>) => sql<number>`(
    select count(distinct enrolments.user_id)::int
    from enrolment_reasons
    join enrolments on enrolments.id = enrolment_reasons.enrolment_id
    join companies on companies.id = enrolments.company_id
    where enrolment_reasons.rule_id = enrolment_rules.id
      and enrolment_reasons.kind = 'rule'
      and enrolment_reasons.until is null
      and ${condition}
  )`;

async function readRules(ctx: Reader, ids: string[]): Promise<Rule[]> {
  const rows = await rulesInScope(ctx)
    .leftJoin("companies", "companies.id", "enrolmentRules.companyId")
    .where(isOneOf("enrolmentRules.id", ids))
    .select([
      "enrolmentRules.id",
      "enrolmentRules.companyId",
      "companies.name as company",
      "enrolmentRules.name",
      "enrolmentRules.explanation",
      "enrolmentRules.condition",
      "enrolmentRules.due",
      "enrolmentRules.people",
      "enrolmentRules.leaving",
      "enrolmentRules.notify",
      "enrolmentRules.state",
      "enrolmentRules.version",
      "enrolmentRules.updatedAt",
      countPeople(sql`true`).as("enrolled"),
      countPeople(sql`is_overdue(enrolments.due_date, companies.timezone, enrolments.status)`).as("overdue"),
    ])
    .execute();
  const given = await ctx.db
    .selectFrom("enrolmentRuleCourses as given")
    .innerJoin("courses", "courses.id", "given.courseId")
    .where(isOneOf("given.ruleId", ids))
    .orderBy(sql`lower(courses.title)`)
    .orderBy("courses.id")
    .select(["given.ruleId", "courses.id", "courses.title", "courses.code", "courses.status"])
    .execute();
  const names = await readRuleNames(
    ctx.db,
    rows.map(({ condition }) => condition),
  );
  return rows.map((row) => ({
    ...row,
    courses: given.flatMap(({ ruleId, ...course }) => (ruleId === row.id ? [course] : [])),
    names: namesIn(names, row.condition),
  }));
}

/** One rule in the scope of the user; 404 if it is unknown or removed. */
export async function getRule(ctx: Reader, id: string): Promise<RuleDetail> {
  const [row] = await readRules(ctx, [id]);
  if (!row) throw notFound();
  return { ...row, run: await readRun(ctx, id) };
}

const countRows = (condition: ReturnType<typeof sql>) => sql<number>`(
    select count(*)::int
    from enrolment_rule_run_rows
    where run_id = enrolment_rule_runs.id
      and ${condition}
  )`;

/** The latest run of a rule. */
async function readRun({ db }: Reader, ruleId: string): Promise<Run | null> {
  const run = await db
    .selectFrom("enrolmentRuleRuns")
    .leftJoin("users", "users.id", "enrolmentRuleRuns.madeBy")
    .where("ruleId", "=", ruleId)
    .orderBy("madeAt", "desc")
    .select([
      "enrolmentRuleRuns.id",
      "state",
      "madeAt",
      "checked",
      sql<string>`coalesce(nullif(users.name, ''), users.email, '')`.as("madeBy"),
      countRows(sql`true`).as("added"),
      countRows(sql`undone`).as("undone"),
      countRows(sql`not undone`).as("left"),
      sql<string>`made_at + make_interval(hours => ${UNDO_HOURS})`.as("undoUntil"),
      sql<boolean>`made_at > now() - make_interval(hours => ${UNDO_HOURS})
        and state in ('applying', 'applied')`.as("canUndo"),
    ])
    .executeTakeFirst();
  if (!run) return null;
  const { canUndo, undoUntil, ...rest } = run;
  const { rows } = await sql<{ name: string }>`
    select distinct coalesce(nullif(users.name, ''), users.email) as name
    from enrolment_rule_run_rows left_rows
    join enrolments on enrolments.id = left_rows.enrolment_id
    join users on users.id = enrolments.user_id and users.company_id = enrolments.company_id
    where left_rows.run_id = ${run.id}
      and not left_rows.undone
    order by 1
    limit ${SHOWN}`.execute(db);
  return { ...rest, undoUntil: canUndo && run.added > 0 ? undoUntil : null, leftNames: rows.map(({ name }) => name) };
}
