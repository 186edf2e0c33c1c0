import { sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import { job } from "#server/core/jobs.ts";
import type { Services } from "#server/core/services.ts";
import {
  checkEach,
  type FailedRules,
  MAX_FAILURES,
  nextTry,
  QUEUE,
  queueFailed,
  takeTurns,
} from "#server/enrolmentRules/checking.ts";
import { BATCH } from "#server/enrolmentRules/enrolling.ts";

const KEY = "enrolmentRules:follow";

type Change = { id: string; userId: string; kind: string; target: string; failures: number };

/** Checks changed people; triggers order it in the transaction of the change. */
export const followPeople = job(
  KEY,
  z.object({}),
  async (services) => {
    const { rows: companies } = await sql<{ companyId: string }>`
      select company_id
      from enrolment_rule_changes
      where due_at <= now()
      group by company_id
      order by min(id)`.execute(services.db);
    const isMore = await takeTurns(companies, ({ companyId }, until) => followBatch(services, companyId, until));
    if (isMore) await followPeople.enqueue(services.db, {}, { key: KEY });
  },
  // For retries, and for changes that an interrupted job has left.
  "* * * * *",
  QUEUE,
);

/** Follows the next changes of a company. False if there are none, or if the attempt failed and they wait. */
async function followBatch(services: Services, companyId: string, until: number) {
  const { rows: changes } = await sql<Change>`
    select id::text, user_id, kind, target, failures
    from enrolment_rule_changes
    where company_id = ${companyId}
      and due_at <= now()
    order by failures, id
    limit ${BATCH}`.execute(services.db);
  if (changes.length === 0) return false;
  const ids = changes.map(({ id }) => id);
  try {
    const failed = await followEach(services, changes, until);
    await inTransaction(services.db, async (tx) => {
      await sql`
        delete from enrolment_rule_changes
        where id = any(${ids}::bigint[])`.execute(tx);
      for (const { rules, userIds, failures } of failed) await queueFailed(tx, companyId, rules, userIds, failures);
    });
    return true;
  } catch (error) {
    services.log.error({ err: error, company: companyId }, "people could not be checked against enrolment rules");
    await sql`
      update enrolment_rule_changes
      set due_at = ${nextTry(sql.ref("failures"))}, failures = least(failures + 1, ${MAX_FAILURES})
      where id = any(${ids}::bigint[])`.execute(services.db);
    return false;
  }
}

type Failed = { rules: FailedRules; userIds: string[]; failures: number };

/** Checks the people of new changes together, and retries each failed rule separately. */
async function followEach(services: Services, changes: Change[], until: number) {
  const reason = "enrolmentRules.follow";
  const failed: Failed[] = [];
  const [again, fresh] = [changes.filter(({ kind }) => kind === "rule"), changes.filter(({ kind }) => kind !== "rule")];
  const check = async (some: Change[], only?: Set<string>) => {
    const userIds = [...new Set(some.map(({ userId }) => userId))];
    const rules = await checkEach(services, { userIds, reason, until, ...(only && { only }) });
    const failures = Math.max(...some.map((change) => (change.kind === "rule" ? change.failures : 0)));
    if (rules.size > 0) failed.push({ rules, userIds, failures });
  };
  if (fresh.some(({ kind }) => kind === "person")) await check(fresh);
  else if (fresh.length > 0) await check(fresh, await listUses(services, fresh));
  for (const [rule, some] of Map.groupBy(again, ({ target }) => target)) await check(some, new Set([rule]));
  return failed;
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
