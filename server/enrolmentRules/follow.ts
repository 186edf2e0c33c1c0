import { sql } from "kysely";
import { z } from "zod";
import { inTransaction, repeatOnDeadlock, withCause } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import { checkPeople, lockActiveRules, notifyOf } from "#server/enrolmentRules/enrolling.ts";
import { listScope } from "#server/enrolmentRules/runs.ts";

/** Changes that one transaction follows, and people whom one checks. */
const BATCH = 500;
/** All jobs that enrol by rules; the trigger `queue_enrolment_rules` uses the same queue. */
export const QUEUE = "enrolment-rules";

type Change = { id: string; userId: string; kind: string; target: string };

/** Checks people of whom something has changed; triggers order it in the transaction of the change. */
export const followPeople = job(
  "enrolmentRules:follow",
  z.object({}),
  async (services) => {
    const failures: unknown[] = [];
    while (await followBatch(services, failures)) services.log.debug("people checked against enrolment rules");
    failIfAny(failures);
  },
  // What an interrupted job has left.
  "* * * * *",
  QUEUE,
);

function failIfAny(failures: unknown[]) {
  if (failures.length > 0) throw new AggregateError(failures, "some enrolment rules could not be followed");
}

/** Follows the next changes. False if there are none. */
async function followBatch(services: Services, failures: unknown[]) {
  const { rows: changes } = await sql<Change>`
    select id::text, user_id, kind, target
    from enrolment_rule_changes
    order by id
    limit ${BATCH}`.execute(services.db);
  if (changes.length === 0) return false;
  const userIds = [...new Set(changes.map(({ userId }) => userId))];
  const concerned = changes.some(({ kind }) => kind === "person") ? undefined : await listUses(services, changes);
  await checkEach(services, userIds, "enrolmentRules.follow", failures, concerned);
  await sql`
    delete from enrolment_rule_changes
    where id = any(${changes.map(({ id }) => id)}::bigint[])`.execute(services.db);
  return true;
}

/** The rules that depend on what has changed. */
async function listUses({ db }: Services, changes: Change[]) {
  const { rows } = await sql<{ ruleId: string }>`
    select distinct rule_id
    from enrolment_rule_uses
    where (kind, target) in (
      select *
      from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ target }) => target)}::text[])
    )`.execute(db);
  return new Set(rows.map(({ ruleId }) => ruleId));
}

/** Checks people against rules at once; if that fails, against one rule after the other, so that one stops no other. */
async function checkEach(
  services: Services,
  userIds: string[],
  reason: string,
  failures: unknown[],
  concerned?: Set<string>,
) {
  const db = withCause(services.db, { actorId: null, reason });
  const check = (only?: Set<string>) =>
    repeatOnDeadlock(() =>
      inTransaction(db, async (tx) => {
        const rules = await lockActiveRules(tx, userIds);
        const asked = only ? rules.filter(({ id }) => only.has(id)) : rules;
        await notifyOf(tx, await checkPeople(tx, asked, userIds));
        return asked.map(({ id }) => id);
      }),
    );
  try {
    await check(concerned);
  } catch (error) {
    failures.push(error);
    const rules = await inTransaction(db, (tx) => lockActiveRules(tx, userIds));
    for (const { id } of rules)
      if (!concerned || concerned.has(id))
        await check(new Set([id])).catch((one: unknown) => {
          failures.push(one);
          services.log.error({ err: one, rule: id }, "an enrolment rule could not be followed");
        });
  }
}

/**
 * Checks everybody again: once a day, and rules that depend on the day when one has begun. Nothing is left to do unless
 * a rule depends on the day, or a change happened while a rule was switched on.
 */
export const followDays = job(
  "enrolmentRules:followDays",
  z.object({}),
  async (services) => {
    const { rows: due } = await sql<{ id: string; companyId: string | null }>`
      select rules.id, rules.company_id
      from enrolment_rules rules
      left join companies on companies.id = rules.company_id
      where rules.state = 'active'
        and rules.removed_at is null
        and case
          when companies.id is null and rules.follows_days
            then coalesce(checked_at, '-infinity') < now() - interval '1 hour'
          else (coalesce(checked_at, '-infinity') at time zone coalesce(companies.timezone, 'UTC'))::date
            < (now() at time zone coalesce(companies.timezone, 'UTC'))::date
        end
      order by rules.id`.execute(services.db);
    const failures: unknown[] = [];
    for (const { id, companyId } of due) {
      let after: string | null = null;
      for (;;) {
        const people: string[] = await listScope(services.db, companyId, after, BATCH);
        if (people.length === 0) break;
        await checkEach(services, people, "enrolmentRules.followDays", failures, new Set([id]));
        after = people.at(-1) ?? null;
      }
      await services.db
        .updateTable("enrolmentRules")
        .set({ checkedAt: new Date().toISOString() })
        .where(isOneOf("id", [id]))
        .execute();
    }
    failIfAny(failures);
  },
  "*/15 * * * *",
  QUEUE,
);
