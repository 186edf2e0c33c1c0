import { type RawBuilder, sql } from "kysely";
import { record } from "#server/audit/service.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { inScope } from "#server/core/database/scope.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { isSendingDay, type Steps } from "#server/reminders/steps.ts";
import { addDays } from "#shared/core/dates.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";
import { type ReminderPlan, type reminders, type ReminderStep, SUGGESTED } from "#shared/reminders/reminders.ts";

type Reader = Pick<Ctx<User>, "db" | "config">;

/** The plan of a company in the scope of the user, or the suggested one; 404 for any other company. */
export const getPlan = (ctx: Reader & Pick<Ctx<User>, "user">, companyId: string) =>
  readPlan(ctx, companyId, inScope(ctx.user, { company: "companies.id" }));

/** The plan of a company that meets this condition on `companies`, or the suggested one; 404 otherwise. */
export async function readPlan(
  { db, config }: Reader,
  companyId: string,
  condition = sql<boolean>`true`,
): Promise<ReminderPlan> {
  const row = await db
    .selectFrom("companies")
    .leftJoin("reminderPlans as plan", "plan.companyId", "companies.id")
    .leftJoin("users as author", "author.id", "plan.updatedBy")
    .where("companies.id", "=", companyId)
    .where(condition)
    .select(["companies.timezone as zone", "plan.isOn", "plan.hour", "plan.skipsWeekends", "plan.steps"])
    .select(["plan.version", "plan.updatedAt", "plan.startsOn", "plan.plannedOn"])
    .select(sql<string>`(now() at time zone companies.timezone)::date::text`.as("today"))
    .select(sql<string | null>`coalesce(nullif(author.name, ''), author.email)`.as("updatedBy"))
    .executeTakeFirstOrThrow(notFound);
  const { today, zone, updatedAt, updatedBy, plannedOn } = row;
  return {
    isOn: row.isOn ?? SUGGESTED.isOn,
    hour: row.hour ?? SUGGESTED.hour,
    skipsWeekends: row.skipsWeekends ?? SUGGESTED.skipsWeekends,
    steps: (row.steps as ReminderStep[] | null) ?? SUGGESTED.steps,
    version: row.version ?? 0,
    updatedAt,
    updatedBy,
    startsOn: row.isOn && row.startsOn ? row.startsOn : today,
    today,
    openDay: plannedOn !== null && plannedOn >= today ? addDays(today, 1) : today,
    zone,
    hasMailServer: await hasMailServer({ config, db }),
  };
}

/** SQL: when the emails of a day are sent; for today at least now. */
export const momentOf = (day: RawBuilder<string>, { zone, hour }: Pick<ReminderPlan, "zone" | "hour">) =>
  sql<string>`greatest(now(), (${day} + make_interval(hours => ${hour})) at time zone ${zone})`;

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00Z`).getUTCDay());

/** The first day from `day` on, or with `step` -1 the last until it, on which emails are sent. */
export function nextSendingDay(day: string, skipsWeekends: boolean, step: 1 | -1 = 1): string {
  return skipsWeekends && isWeekend(day) ? nextSendingDay(addDays(day, step), skipsWeekends, step) : day;
}

export async function savePlan(ctx: Ctx<User>, companyId: string, { terms, version }: BodyOf<typeof reminders.save>) {
  await inTransaction(ctx.db, async (tx) => {
    const scoped = { ...ctx, db: tx };
    // Locks the company, because its first plan has no row yet.
    await tx.selectFrom("companies").where("id", "=", companyId).select("id").forNoKeyUpdate().execute();
    const { updatedAt, updatedBy, ...current } = await getPlan(scoped, companyId);
    if (current.version !== version)
      throw conflict("core.conflict", { current, changedBy: updatedBy, changedAt: updatedAt });
    const { isOn, hour, skipsWeekends } = terms;
    const values = {
      isOn,
      hour,
      skipsWeekends,
      steps: JSON.stringify(terms.steps),
      startsOn: current.startsOn,
      version: version + 1,
      updatedBy: ctx.user.id,
    };
    await tx
      .insertInto("reminderPlans")
      .values({ companyId, ...values })
      .onConflict((on) => on.column("companyId").doUpdateSet({ ...values, updatedAt: sql`now()` }))
      .execute();
    const switched = isOn ? "switchOn" : "switchOff";
    const action = `reminders.${isOn === current.isOn ? "update" : switched}` as const;
    await record(tx, ctx, { action, companyId });
  });
  return getPlan(ctx, companyId);
}

type PlanToday = Steps & { companyId: string; zone: string; today: string; cursor: string | null };

/** SQL: the local time of a company has reached the hour of its plan, on a day that is not planned to its end. */
const isWaiting = sql<boolean>`(
  plan.is_on
  and companies.status = 'active'
  and extract(hour from now() at time zone companies.timezone) >= plan.hour
  and coalesce(plan.planned_on < (now() at time zone companies.timezone)::date, true)
  and ${isSendingDay(sql`(now() at time zone companies.timezone)::date`, sql`plan.skips_weekends`)}
)`;

/** SQL: a plan whose day has come, of the company that has waited longest, locked. */
export const selectWaitingPlan = sql<PlanToday>`
  select
    plan.company_id, plan.starts_on, plan.skips_weekends, plan.steps,
    companies.timezone as zone,
    (now() at time zone companies.timezone)::date as today,
    case when plan.cursor_on = (now() at time zone companies.timezone)::date then plan.cursor end as cursor
  from reminder_plans plan
  join companies on companies.id = plan.company_id
  where ${isWaiting}
  order by plan.planned_on nulls first, plan.company_id
  limit 1
  for no key update of plan skip locked`;
