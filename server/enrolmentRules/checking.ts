import { type RawBuilder, sql } from "kysely";
import { inTransaction, isUnavailable, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import { checkPeople, lockActiveRules, notifyOf } from "#server/enrolmentRules/enrolling.ts";

// How the jobs that follow people share time, and how a failing rule leaves the others alone

/** How long a job works before other jobs of the queue have their turn, in ms. */
const JOB_MS = 4000;
/** The queue of all jobs that enrol by rules; the trigger `queue_enrolment_rules` uses it too. */
export const QUEUE = "enrolment-rules";

/** Rules that could not be checked, with the error. */
export type FailedRules = Map<string, unknown>;
type Check = { userIds: string[]; reason: string; only?: Set<string>; until: number };

/** Calls `work` for each company in turn until it returns false for all. Returns true if the time is over before. */
export async function takeTurns<C>(companies: C[], work: (company: C, until: number) => Promise<boolean>, ms = JOB_MS) {
  const until = performance.now() + ms;
  let waiting = companies;
  while (waiting.length > 0) {
    const left: C[] = [];
    for (const company of waiting) {
      if (performance.now() >= until) return true;
      if (await work(company, until)) left.push(company);
    }
    waiting = left;
  }
  return false;
}

/**
 * Checks people against all rules, or only some, in one transaction. If that fails, checks each rule by itself, so that
 * a failing one does not stop the others. Returns the rules that failed or were left when the time was over.
 */
export async function checkEach(services: Services, { userIds, reason, only, until }: Check): Promise<FailedRules> {
  const db = withCause(services.db, { actorId: null, reason });
  const check = (asked?: Set<string>) =>
    repeatOnDeadlock(() =>
      inTransaction(db, async (tx) => {
        const rules = await lockActiveRules(tx, userIds, asked);
        await notifyOf(tx, await checkPeople(tx, rules, userIds));
      }),
    );
  const failed: FailedRules = new Map();
  try {
    await check(only);
  } catch (error) {
    // The database is unavailable: no rule causes the error.
    if (isUnavailable(error)) throw error;
    const rules = await inTransaction(db, (tx) => lockActiveRules(tx, userIds, only));
    for (const { id } of rules)
      if (rules.length === 1 || performance.now() >= until) failed.set(id, error);
      else await check(new Set([id])).catch((one: unknown) => void failed.set(id, one));
  }
  for (const [rule, err] of failed) services.log.error({ err, rule }, "an enrolment rule could not be followed");
  return failed;
}

/** Delay before a failed change is tried again, in seconds per failure, and the failures after which it is given up. */
const PAUSE_SECONDS = 20;
export const MAX_FAILURES = 20;
export const nextTry = (failures: RawBuilder<unknown>) =>
  sql<string>`now() + make_interval(secs => ${PAUSE_SECONDS} * (${failures} + 1))`;

/**
 * Queues another check of these rules for these people. What has failed too often is left to the daily check. The lock
 * keeps people who are being erased out of the queue.
 */
export const queueFailed = (tx: Tx, companyId: string, failed: FailedRules, userIds: string[], failures: number) =>
  failures >= MAX_FAILURES
    ? Promise.resolve()
    : sql`
        insert into enrolment_rule_changes (company_id, user_id, kind, target, failures, due_at)
        select ${companyId}, people.id, 'rule', rule, ${failures} + 1, ${nextTry(sql`${failures}::integer`)}
        from (
          select id
          from users
          where ${isOneOf("id", userIds)}
          order by id
          for key share
        ) people
        cross join unnest(${[...failed.keys()]}::text[]) rule
        where not exists (
          select from enrolment_rule_changes waiting
          where waiting.user_id = people.id
            and waiting.kind = 'rule'
            and waiting.target = rule
        )`.execute(tx);
