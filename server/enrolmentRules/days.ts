import { type Insertable, sql } from "kysely";
import { z } from "zod";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { checkEach, QUEUE, queueFailed, takeTurns } from "#server/enrolmentRules/checking.ts";
import { BATCH } from "#server/enrolmentRules/enrolling.ts";
import { listScope } from "#server/enrolmentRules/runs.ts";

const KEY = "enrolmentRules:followDays";
/** How long a company waits after a failure, such as of the database, in ms. */
const PAUSE_MS = 600_000;

type Company = { id: string; day: string; cursor: string | null };

/**
 * Checks all people of a company when a day starts there. This matters for rules that depend on the day, and for
 * changes that were missed while a rule was switched on.
 */
export const followDays = job(
  KEY,
  z.object({}),
  async (services) => {
    const { rows: companies } = await sql<Company>`
      select companies.id, days.cursor,
        coalesce(days.begun_on, (now() at time zone companies.timezone)::date) as day
      from companies
      left join enrolment_rule_days days on days.company_id = companies.id
      where coalesce(days.checked_on, '-infinity') < (now() at time zone companies.timezone)::date
        and coalesce(days.turn_at, now()) <= now()
        and exists (
          select from enrolment_rules
          where enrolment_rules.state = 'active'
            and enrolment_rules.removed_at is null
            and (enrolment_rules.company_id is null or enrolment_rules.company_id = companies.id)
        )
      order by days.checked_on nulls first, companies.id`.execute(services.db);
    const isMore = await takeTurns(companies, (company, until) => checkBatch(services, company, until));
    if (isMore) await followDays.enqueue(services.db, {}, { key: KEY });
  },
  "*/15 * * * *",
  QUEUE,
);

/** Checks the next people of a company. False if no one is left or the check failed. */
async function checkBatch(services: Services, company: Company, until: number) {
  const store = (db: Db, set: Omit<Insertable<DB["enrolmentRuleDays"]>, "companyId">) =>
    db
      .insertInto("enrolmentRuleDays")
      .values({ companyId: company.id, ...set })
      .onConflict((conflict) => conflict.column("companyId").doUpdateSet(set))
      .execute();
  try {
    const userIds = await listScope(services.db, company.id, company.cursor, BATCH);
    const last = userIds.at(-1);
    if (!last) {
      await store(services.db, { checkedOn: company.day, begunOn: null, cursor: null });
      return false;
    }
    const failed = await checkEach(services, { userIds, reason: "enrolmentRules.followDays", until });
    await inTransaction(services.db, async (tx) => {
      await queueFailed(tx, company.id, failed, userIds, 0);
      await store(tx, { begunOn: company.day, cursor: last });
    });
    company.cursor = last;
    return true;
  } catch (error) {
    services.log.error({ err: error, company: company.id }, "the daily check of enrolment rules failed");
    await store(services.db, { turnAt: new Date(Date.now() + PAUSE_MS).toISOString() });
    return false;
  }
}
