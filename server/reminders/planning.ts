import { sql } from "kysely";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import { selectWaitingPlan } from "#server/reminders/plans.ts";
import { selectDueSteps, useCustomPlans } from "#server/reminders/steps.ts";

/** People who are planned in one transaction. */
const BATCH = 500;

/** Plans the steps of today for the next people of a company whose hour has come. False if there is none. */
export const planSteps = ({ db }: Services) =>
  inTransaction(db, async (tx) => {
    const { rows } = await selectWaitingPlan.execute(tx);
    const [plan] = rows;
    if (!plan) return false;
    const { companyId, zone, today, cursor } = plan;
    if (cursor === null) await forgetEarlierDays(tx, companyId, zone);
    await useCustomPlans(tx);
    const people = await tx
      .selectFrom("users")
      .where("companyId", "=", companyId)
      .where("role", "=", "learner")
      .$if(cursor !== null, (users) => users.where("id", ">", cursor))
      .orderBy("id")
      .limit(BATCH)
      .select("id")
      .execute();
    const ids = people.map(({ id }) => id);
    if (ids.length > 0)
      await sql`
        insert into reminders (
          company_id, enrolment_id, user_id, course_id, kind, days, counted_from, audience,
          recipient_id, status, dropped, done_at
        )
        select
          ${companyId}::uuid, enrolment_id, user_id, course_id, kind, days, counted_from, audience,
          recipient_id,
          case when dropped is null then 'planned' else 'dropped' end,
          dropped,
          case when dropped is not null then now() end
        from (${selectDueSteps({
          company: { id: companyId, zone },
          plan,
          day: today,
          nextDay: today,
          at: sql`now()`,
          of: isOneOf("enrolments.user_id", ids),
        })}) steps
        on conflict do nothing`.execute(tx);
    const isWhole = ids.length < BATCH;
    await tx
      .updateTable("reminderPlans")
      .set(isWhole ? { plannedOn: today, cursor: null } : { cursor: ids.at(-1) ?? null, cursorOn: today })
      .where("companyId", "=", companyId)
      .execute();
    return true;
  });

/** What was planned on an earlier day and not sent is planned again, beside the steps of today. */
const forgetEarlierDays = (tx: Tx, companyId: string, zone: string) =>
  sql`
    delete from reminders
    where company_id = ${companyId}
      and status = 'planned'
      and (planned_at at time zone ${zone})::date < (now() at time zone ${zone})::date`.execute(tx);
