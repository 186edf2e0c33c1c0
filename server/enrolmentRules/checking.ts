import { type RawBuilder, sql } from "kysely";
import { inTransaction, isUnavailable, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Services } from "#server/core/services.ts";
import { checkPeople, lockActiveRules, notifyOf } from "#server/enrolmentRules/enrolling.ts";

// How the jobs that follow people share their time, and contain a rule that fails

/** How long a job works before other jobs of its queue have their turn, in ms. */
const JOB_MS = 4000;
/** All jobs that enrol by rules; the trigger `queue_enrolment_rules` uses the same queue. */
export const QUEUE = "enrolment-rules";

/** Rules that could not be checked. */
export type FailedRules = Map<string, unknown>;
type Check = { userIds: string[]; reason: string; only?: Set<string>; until: number };

/**
 * Calls `work` for one company after the other, again and again, until it returns false for each or the time of a job
 * is over. Then it returns true: there is more to do.
 */
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
 * Checks people against all rules, or only some, at once. If that fails, each rule is checked by itself, so that one
 * stops no other. Returns those that failed, or that were left when the time was over.
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
    // Without a database there is no rule to blame.
    if (isUnavailable(error)) throw error;
    const rules = await inTransaction(db, (tx) => lockActiveRules(tx, userIds, only));
    for (const { id } of rules)
      if (rules.length === 1 || performance.now() >= until) failed.set(id, error);
      else await check(new Set([id])).catch((one: unknown) => void failed.set(id, one));
  }
  for (const [rule, err] of failed) services.log.error({ err, rule }, "an enrolment rule could not be followed");
  return failed;
}

/** The next try of a change whose check has failed is later, in seconds for each failure; after some, none is left. */
const PAUSE_SECONDS = 20;
export const MAX_FAILURES = 20;
/** SQL: when the next try is. */
export const nextTry = (failures: RawBuilder<unknown>) =>
  sql<string>`now() + make_interval(secs => ${PAUSE_SECONDS} * (${failures} + 1))`;

/**
 * Has these rules checked again for these people later. The daily check tries again what has failed too often. Nobody
 * who is erased meanwhile stays in the queue.
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
