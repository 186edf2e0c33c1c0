import { sql } from "kysely";
import { applyTurn } from "#server/completionRules/applying.ts";
import { countTurn } from "#server/completionRules/counting.ts";
import { undoTurn } from "#server/completionRules/undoing.ts";
import { claimRows, leaseEnd, startHeartbeat } from "#server/core/lease.ts";
import type { Services } from "#server/core/services.ts";

/** Seconds after which another server continues a change whose server has stopped. */
const LEASE_SECONDS = 10;
/** How long a job takes turns before other jobs have theirs, in ms. */
const JOB_MS = 4000;
/** A change whose turn has failed has its next one later, in seconds for each failure. */
const PAUSE_SECONDS = 20;

const turns = { counting: countTurn, applying: applyTurn, undoing: undoTurn } as const;

/** Takes turns of the changes that have work, the one that has waited longest first. True if there is more to do. */
export async function runTurns(services: Services): Promise<boolean> {
  const { db, log } = services;
  const until = performance.now() + JOB_MS;
  for (;;) {
    const [taken] = await claimRows<{ id: string }>(db, {
      table: "rule_changes",
      seconds: LEASE_SECONDS,
      limit: 1,
      due: sql`state in ('counting', 'applying', 'undoing') and turn_at <= now()`,
      order: sql`turn_at`,
      returning: ["id"],
    });
    if (!taken) return false;
    const change = await db.selectFrom("ruleChanges").where("id", "=", taken.id).selectAll().executeTakeFirst();
    if (!change) continue;
    const stopHeartbeat = startHeartbeat(LEASE_SECONDS, () => renew(services, change.id).catch(() => {}));
    try {
      await turns[change.state as keyof typeof turns](services, change);
      await release(services, change.id, sql`turn_at = now(), failures = 0`);
    } catch (error) {
      log.error({ err: error, change: change.id }, "a turn of a change of a completion rule failed");
      const pause = sql`make_interval(secs => ${PAUSE_SECONDS} * (failures + 1))`;
      await release(services, change.id, sql`turn_at = now() + ${pause}, failures = least(failures + 1, 90)`);
    }
    stopHeartbeat();
    if (performance.now() > until) return true;
  }
}

const renew = ({ db }: Services, id: string) =>
  db
    .updateTable("ruleChanges")
    .set({ leasedUntil: leaseEnd(LEASE_SECONDS) })
    .where("id", "=", id)
    .where("leasedUntil", "is not", null)
    .execute();

const release = ({ db }: Services, id: string, set: ReturnType<typeof sql>) =>
  sql`
    update rule_changes
    set leased_until = null, ${set}
    where id = ${id}`.execute(db);
