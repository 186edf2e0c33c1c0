import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import { isLedBy } from "#server/managers/scope.ts";
import texts from "#shared/locales/en/requirements.json" with { type: "json" };
import type { User } from "#shared/core/users.ts";
import type {
  CourseRequirement,
  RequirementList,
  RequirementState,
  StateCounts,
} from "#shared/requirements/requirements.ts";

export type Scoped = Pick<Ctx<User>, "db" | "user">;

/** SQL: today in the zone of the company, as a calendar day. */
export const todayIn = (zone: RawBuilder<unknown>) => sql<string>`(now() at time zone ${zone})::date`;

const selectCompany = ({ db }: Pick<Scoped, "db">, id: string | null) =>
  db
    .selectFrom("companies")
    .where("id", "=", id)
    .select(["id", "timezone as zone", sql<string>`${todayIn(sql`timezone`)}::text`.as("today")]);

/** Whose requirements are read: everyone's in a company, or only those of the people whom a manager leads. */
export type RequirementScope = { id: string; today: string; zone: string; leader?: User };

/** A company in the scope of the user, its zone and today there; 404 for any other. */
export const readCompany = ({ db, user }: Scoped, id: string): Promise<RequirementScope> =>
  selectCompany({ db }, id)
    .where(inScope(user, { company: "companies.id" }))
    .executeTakeFirstOrThrow(notFound);

/** The people whom a manager leads in their company. */
export const readTeam = async ({ db, user }: Scoped): Promise<RequirementScope> => ({
  ...(await selectCompany({ db }, user.companyId).executeTakeFirstOrThrow(notFound)),
  leader: user,
});

/** SQL condition: the person in `users` is one of those whose requirements are read. */
export const isInRequirementScope = ({ leader }: RequirementScope) =>
  leader ? isLedBy(leader, "users.id") : sql<boolean>`true`;

export const hasRequirements = async (db: Db, companyId: string) =>
  (await db
    .selectFrom("courseRequirements")
    .where("companyId", "=", companyId)
    .where("removedAt", "is", null)
    .select("id")
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** SQL condition: the person is exempt on this day. */
export const isExemptOn = (day: RawBuilder<unknown>) => sql<boolean>`coalesce(
  ${day} between requirements.exempt_from and requirements.exempt_until,
  false
)`;

/** SQL: the state of a requirement on this day. */
export const stateOn = (today: string) =>
  sql<RequirementState>`case
    when requirements.completed_on is not null and coalesce(requirements.valid_until >= ${today}::date, true)
      then case when requirements.opened_on is null then 'valid' else 'ending' end
    when ${isExemptOn(sql`${today}::date`)} then 'exempt'
    when requirements.completed_on is not null then 'expired'
    when enrolments.due_date < ${today}::date then 'overdue'
    else 'missing'
  end`;

/** SQL: the last day of an exemption that is not over on this day. */
export const exemptUntil = (today: string) =>
  sql<string | null>`case when requirements.exempt_until >= ${today}::date then requirements.exempt_until end`;

/** SQL: the days of such an exemption, as cells have them. */
export const exemptDays = (today: string) => sql`
    case when requirements.exempt_until >= ${today}::date then requirements.exempt_from end as exempt_from,
    ${exemptUntil(today)} as exempt_until`;

/** SQL condition: the course is not to open again until after this day. */
export const opensAfter = (today: RawBuilder<unknown>) =>
  sql<boolean>`coalesce(requirements.opens_on, 'infinity') > ${today}`;

/** SQL: requirements of people who are in the company now and can take courses. */
export const isHere = sql<boolean>`(
  users.company_id = requirements.company_id
  and users.role = 'learner'
  and users.status <> 'suspended'
)`;

/** SQL: the columns of `StateCounts` over rows with a column `state`. */
export const countStates = sql<StateCounts>`
  count(*) filter (where state = 'valid')::int as valid,
  count(*) filter (where state = 'ending')::int as ending,
  count(*) filter (where state = 'missing')::int as missing,
  count(*) filter (where state = 'overdue')::int as overdue,
  count(*) filter (where state = 'expired')::int as expired,
  count(*) filter (where state = 'exempt')::int as exempt`;

/** SQL: the requirements of people, or those of one course, with `course_id`, `user_id`, `state` and `is_started`. */
const listStates = (scope: RequirementScope, one: string | null) => sql`
  select
    requirements.course_id,
    requirements.user_id,
    ${stateOn(scope.today)} as state,
    enrolments.status in ('in_progress', 'failed') as is_started
  from requirements
  join enrolments on enrolments.id = requirements.enrolment_id
  join users on users.id = requirements.user_id
  where requirements.company_id = ${scope.id}
    and ${isHere}
    and ${isInRequirementScope(scope)}
    ${one ? sql`and requirements.course_id = (select course_id from course_requirements where id = ${one})` : sql``}`;

type Totals = Pick<RequirementList, "people" | "lapsedPeople" | "startedAgain">;
type Row = Omit<CourseRequirement, "counts" | "fixedDay"> &
  StateCounts &
  Totals & { fixedMonth: number | null; fixedDay: number | null };

/** SQL: the requirements of a company today, or one of them, as `countRequirements` needs them. */
const askedToday = (companyId: string, one: string | null) => sql`
    select *, applied_version = version as is_applied
    from course_requirements
    where company_id = ${companyId}
      and removed_at is null
      and (${one}::uuid is null or id = ${one}::uuid)`;

const readCounted = (db: Db, scope: RequirementScope, one: string | null) =>
  countRequirements(db, { asked: askedToday(scope.id, one), states: listStates(scope, one) });

/**
 * Requirements with how many people are in which state, and totals of these. `asked`: SQL of the requirements, with the
 * columns of `course_requirements` and `is_applied`; `states`: SQL of those of people, with `course_id`, `user_id`,
 * `state` and `is_started`.
 */
export async function countRequirements(
  db: Db,
  { asked, states }: { asked: RawBuilder<unknown>; states: RawBuilder<unknown> },
) {
  const { rows } = await sql<Row>`
    with states as materialized (${states}),
    counted as (
      select course_id, ${countStates}
      from states
      group by course_id
    ),
    totals as (
      select
        count(distinct user_id)::int as people,
        count(distinct user_id) filter (where state in ('expired', 'overdue'))::int as lapsed_people,
        count(*) filter (where state = 'ending' and is_started)::int as started_again
      from states
    )
    select
      asked.id, asked.course_id,
      coalesce(courses.title, ${texts.deletedCourse}) as course, coalesce(courses.code, '') as code,
      asked.months, asked.counts_from, asked.fixed_month, asked.fixed_day,
      asked.skip_days, asked.window_days, asked.grace_days,
      asked.is_applied, asked.version,
      coalesce(valid, 0) as valid, coalesce(ending, 0) as ending, coalesce(missing, 0) as missing,
      coalesce(overdue, 0) as overdue, coalesce(expired, 0) as expired, coalesce(exempt, 0) as exempt,
      people, lapsed_people, started_again
    from (${asked}) asked
    left join courses on courses.id = asked.course_id
    left join counted on counted.course_id = asked.course_id
    cross join totals
    order by lower(courses.title), asked.id`.execute(db);
  const items = rows.map(
    ({ valid, ending, missing, overdue, expired, exempt, fixedMonth, fixedDay, ...row }): CourseRequirement => ({
      ...row,
      fixedDay: fixedMonth && fixedDay ? { month: fixedMonth, day: fixedDay } : null,
      counts: { valid, ending, missing, overdue, expired, exempt },
    }),
  );
  const { people = 0, lapsedPeople = 0, startedAgain = 0 } = rows[0] ?? {};
  return { items, people, lapsedPeople, startedAgain };
}

/** The first day of which requirements are known; null if the company has never required anything. */
async function firstRecordedDay(db: Db, company: { id: string; zone: string }): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select (min(recorded_at) at time zone ${company.zone})::date::text as day
    from course_requirement_history
    where company_id = ${company.id}`.execute(db);
  return rows[0]?.day ?? null;
}

export async function listRequirements(ctx: Scoped, companyId: string): Promise<RequirementList> {
  const company = await readCompany(ctx, companyId);
  const { items, ...totals } = await readCounted(ctx.db, company, null);
  const { today, zone } = company;
  const first = await firstRecordedDay(ctx.db, company);
  const recordedFrom = first !== null && first < today ? first : null;
  return { items, total: items.length, ...totals, today, zone, recordedFrom };
}

/** What the people whom a manager leads must hold; courses that none of them must hold are left out. */
export async function listTeamRequirements(ctx: Scoped): Promise<RequirementList> {
  const team = await readTeam(ctx);
  const { items: all, ...totals } = await readCounted(ctx.db, team, null);
  const items = all.filter(({ counts }) => Object.values(counts).some((count) => count > 0));
  return { items, total: items.length, ...totals, today: team.today, zone: team.zone, recordedFrom: null };
}

/** One requirement of a company in the scope of the user; 404 for any other. */
export async function getRequirement(ctx: Scoped, companyId: string, id: string): Promise<CourseRequirement> {
  const { items } = await readCounted(ctx.db, await readCompany(ctx, companyId), id);
  const [found] = items;
  if (!found) throw notFound();
  return found;
}
