import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db, Tx } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { compileRule, joinedAt, type RuleContext } from "#server/groups/compile.ts";
import { readFieldKinds } from "#server/groups/membership.ts";
import type { Due } from "#shared/enrolmentRules/due.ts";

// Who meets a rule: the same SQL condition for everyone, for some people, and for previews

export type StoredRule = Selectable<DB["enrolmentRules"]>;
/** What decides whom a rule enrols and by when; `id` is null for a rule that is not stored. */
export type RuleTerms = Pick<StoredRule, "companyId" | "condition" | "due" | "people"> & { id: string | null };
/** A person who meets a rule. `enrols`: false if they get nothing new by it. */
export type Pair = { ruleId: string; userId: string; companyId: string; dueDate: string | null; enrols: boolean };

/**
 * SQL: learners, or only those in `only`, to be used as `users`. Learners of an archived company keep their courses but
 * get no new ones.
 */
export const selectPeople = (companyId: string | null, only?: string[]) => sql`
  select users.id, users.company_id, users.status, users.joined_at, users.created_at, users.name, users.email,
    companies.timezone, companies.status <> 'archived' as can_enrol
  from users
  join companies on companies.id = users.company_id
  where users.role = 'learner'
    and ${companyId ? sql`users.company_id = ${companyId}` : sql`true`}
    and ${only ? isOneOf("users.id", only) : sql`true`}`;

/** Compiles conditions for `selectPeople`, where each person has the time zone of their company. */
export const readContext = async (db: Db, rules: Pick<RuleTerms, "condition">[]): Promise<RuleContext> => ({
  zone: sql<string>`users.timezone`,
  kinds: await readFieldKinds(
    db,
    rules.map(({ condition }) => condition),
  ),
});

/** SQL condition on `selectPeople`. */
export const meets = ({ companyId, condition }: RuleTerms, context: RuleContext): RawBuilder<boolean> =>
  sql<boolean>`(
    ${companyId ? sql`users.company_id = ${companyId}` : sql`true`}
    and ${condition ? compileRule(condition, context) : sql`true`}
  )`;

const today = sql`(now() at time zone users.timezone)::date`;
/** SQL on `selectPeople`: the due date of a course that the person gets now. */
export function dueOn(due: Due): RawBuilder<string | null> {
  if (due.kind === "none") return sql`null::date`;
  if (due.kind === "day") return sql`${due.day}::date`;
  const afterToday = sql<string>`${today} + ${due.days}::integer`;
  if (due.kind === "assigned") return afterToday;
  const afterJoining = sql`(${joinedAt} at time zone users.timezone)::date + ${due.days}::integer`;
  return sql`case when ${afterJoining} >= ${today} then ${afterJoining} else ${afterToday} end`;
}

/**
 * SQL condition on `selectPeople`: the person met this rule for future people when it was switched on, and gets nothing
 * by it.
 */
export const isException = (ruleId: string) => sql<boolean>`exists (
    select from enrolment_rule_exceptions
    where enrolment_rule_exceptions.rule_id = ${ruleId}
      and enrolment_rule_exceptions.user_id = users.id
  )`;

/** Rules per statement: with more of them, planning takes longer. */
const COMPARED = 100;

/** Which people meet which rules. A rule for existing people enrols only in its own run. */
export async function findPairs(tx: Tx, rules: StoredRule[], userIds: string[], isRun: boolean): Promise<Pair[]> {
  if (rules.length === 0 || userIds.length === 0) return [];
  const context = await readContext(tx, rules);
  const enrols = ({ id, people }: StoredRule) => {
    if (people === "future") return sql`not ${isException(id)}`;
    return people === "existing" ? sql`${isRun}::boolean` : sql`true`;
  };
  const parts = rules.map(
    (rule) => sql`
      select ${rule.id}::uuid as rule_id, users.id as user_id, users.company_id, ${dueOn(rule.due)} as due_date,
        users.can_enrol and ${enrols(rule)} as enrols
      from users
      where ${meets(rule, context)}`,
  );
  const pairs: Pair[] = [];
  for (let at = 0; at < parts.length; at += COMPARED) {
    const { rows } = await sql<Pair>`
      with users as materialized (${selectPeople(null, userIds)})
      ${sql.join(parts.slice(at, at + COMPARED), sql` union all `)}`.execute(tx);
    pairs.push(...rows);
  }
  return pairs;
}
