import { type RawBuilder, sql } from "kysely";
import type { Ctx } from "#server/core/http/http.ts";
import { meets, readContext, selectPeople } from "#server/enrolmentRules/meeting.ts";
import { withDraft } from "#server/enrolmentRules/preview.ts";
import { joinedAt } from "#server/groups/compile.ts";
import { listTests, type PersonTest } from "#shared/conditions/conditions.ts";
import { type Past, PAST_DAYS, type RuleDraft } from "#shared/enrolmentRules/enrolmentRules.ts";
import type { User } from "#shared/core/users.ts";

/** Names shown per day. */
const SHOWN = 20;

/** SQL on `users`: since when a test has held; null if that is not stored. */
function heldSince(test: PersonTest): RawBuilder<unknown> {
  switch (test.kind) {
    case "group":
      return sql`(
        select max(case when ${test.is === "member"} then since else until end)
        from group_members
        where group_members.person_id = users.id
          and group_members.group_id = ${test.group}
      )`;
    case "field":
      return sql`(
        select max(field_value_history.recorded_at)
        from field_value_history
        where field_value_history.person_id = users.id
          and field_value_history.field_id = ${test.field}
      )`;
    case "course":
      return test.is === "completed"
        ? sql`(
        select max(enrolments.completed_at)
        from enrolments
        where enrolments.user_id = users.id
          and enrolments.course_id = ${test.course}
          and enrolments.company_id = users.company_id
      )`
        : sql`null::timestamptz`;
    default:
      return sql`null::timestamptz`;
  }
}

/**
 * Who has come to meet the rule in the last `PAST_DAYS` days and still does, by the day of joining or of the last
 * change that the rule depends on. People who no longer meet it are not found.
 */
export const tryPast = (ctx: Ctx<User>, draft: RuleDraft) =>
  withDraft(ctx, draft, async (tx, terms): Promise<Past> => {
    const context = await readContext(tx, [terms]);
    const tests = terms.condition ? listTests(terms.condition) : [];
    const since = sql.join([sql`coalesce(${joinedAt}, users.created_at)`, ...tests.map(heldSince)]);
    const { rows } = await sql<Past["days"][number]>`
      with users as materialized (${selectPeople(terms.companyId)}),
      begun as (
        select users.id, coalesce(nullif(users.name, ''), users.email, '') as name,
          (greatest(${since}) at time zone users.timezone)::date as day,
          (now() at time zone users.timezone)::date as today
        from users
        where ${meets(terms, context)}
      )
      select day, count(*)::int as count, (array_agg(name order by lower(name)))[1:${sql.lit(SHOWN)}] as names
      from begun
      where day > today - ${PAST_DAYS}::integer
      group by day
      order by day desc`.execute(tx);
    return { total: rows.reduce((sum, { count }) => sum + count, 0), days: rows };
  });
