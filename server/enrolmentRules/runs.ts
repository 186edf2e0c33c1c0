import { type Selectable, sql } from "kysely";
import { type Db, inTransaction, repeatOnDeadlock, type Tx, withCause } from "#server/core/database/db.ts";
import type { DB } from "#server/core/database/db.types.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { claimRows, leaseEnd, startHeartbeat } from "#server/core/lease.ts";
import type { Services } from "#server/core/services.ts";
import { BATCH, checkPeople, notifyOf } from "#server/enrolmentRules/enrolling.ts";
import { withdrawUnstarted } from "#server/courses/giving/leaving.ts";

/** Seconds after which another server continues the run of a stopped one. */
const LEASE_SECONDS = 10;
/** How long a job takes turns before other jobs have theirs, in ms. */
const JOB_MS = 4000;
/** Delay of a run after a failed turn, in seconds per failure. */
const PAUSE_SECONDS = 20;
/** New enrolments after which statistics are refreshed: plans for a small table take seconds on a large one. */
const MANY = 1000;

type Run = Selectable<DB["enrolmentRuleRuns"]>;

/** The next learners of the company, or of all companies, by id. */
export async function listScope(db: Db, companyId: string | null, after: string | null, limit: number) {
  let rows = db.selectFrom("users").where("role", "=", "learner").where("companyId", "is not", null);
  if (companyId) rows = rows.where("companyId", "=", companyId);
  if (after) rows = rows.where("id", ">", after);
  return (await rows.orderBy("id").limit(limit).select("id").execute()).map(({ id }) => id);
}

/** Takes turns of unfinished runs, the one that has waited longest first. True if there is more to do. */
export async function runTurns(services: Services): Promise<boolean> {
  const { db, log } = services;
  const until = performance.now() + JOB_MS;
  for (;;) {
    const [taken] = await claimRows<{ id: string }>(db, {
      table: "enrolment_rule_runs",
      seconds: LEASE_SECONDS,
      limit: 1,
      due: sql`state in ('applying', 'undoing') and turn_at <= now()`,
      order: sql`turn_at`,
      returning: ["id"],
    });
    if (!taken) return false;
    const renew = () => setLease(db, taken.id, sql`leased_until = ${leaseEnd(LEASE_SECONDS)}`).catch(() => {});
    const stopHeartbeat = startHeartbeat(LEASE_SECONDS, renew);
    try {
      await takeTurn(services, taken.id);
      await refreshStatistics(db, taken.id);
      await setLease(db, taken.id, sql`leased_until = null, turn_at = now(), failures = 0`);
    } catch (error) {
      log.error({ err: error, run: taken.id }, "a turn of an enrolment rule failed");
      const pause = sql`make_interval(secs => ${PAUSE_SECONDS} * (failures + 1))`;
      await setLease(
        db,
        taken.id,
        sql`leased_until = null, turn_at = now() + ${pause}, failures = least(failures + 1, 90)`,
      );
    } finally {
      stopHeartbeat();
    }
    if (performance.now() > until) return true;
  }
}

async function refreshStatistics(db: Db, runId: string) {
  const { rows } = await sql`
    select
    from enrolment_rule_runs
    where id = ${runId}
      and state = 'applied'
      and (
        select count(*)
        from enrolment_rule_run_rows
        where run_id = enrolment_rule_runs.id
      ) >= ${MANY}`.execute(db);
  if (rows.length === 0) return;
  await inTransaction(db, async (tx) => {
    // A holder of the lock, such as an autovacuum, refreshes the statistics itself.
    await sql`set local lock_timeout = '2s'`.execute(tx);
    await sql`analyze enrolments, enrolment_reasons`.execute(tx);
  }).catch(() => {});
}

const setLease = (db: Db, id: string, set: ReturnType<typeof sql>) =>
  sql`
    update enrolment_rule_runs
    set ${set}
    where id = ${id}
      and leased_until is not null`.execute(db);

/** A turn is one transaction, so its effects and the progress of the run are stored together. */
const takeTurn = (services: Services, id: string) =>
  repeatOnDeadlock(async () => {
    const run = await services.db.selectFrom("enrolmentRuleRuns").where("id", "=", id).selectAll().executeTakeFirst();
    if (!run) return;
    const isUndoing = run.state === "undoing";
    const reason = isUndoing ? "enrolmentRules.undo" : "enrolmentRules.setState";
    await inTransaction(withCause(services.db, { actorId: run.madeBy, reason }), async (tx) => {
      // Locks the rule first, as changes of the rule do.
      await tx.selectFrom("enrolmentRules").where("id", "=", run.ruleId).select("id").forShare().execute();
      const mine = await tx
        .selectFrom("enrolmentRuleRuns")
        .where("id", "=", id)
        .forUpdate()
        .selectAll()
        .executeTakeFirst();
      if (mine?.state === "applying") await applyTurn(tx, mine);
      if (mine?.state === "undoing") await undoTurn(tx, mine);
    });
  });

async function applyTurn(tx: Tx, run: Run) {
  const rule = await tx
    .selectFrom("enrolmentRules")
    .where("id", "=", run.ruleId)
    .where("state", "=", "active")
    .where("removedAt", "is", null)
    .selectAll()
    .executeTakeFirst();
  const people = rule ? await listScope(tx, rule.companyId, run.cursor, BATCH) : [];
  if (!rule || people.length === 0) {
    await tx
      .updateTable("enrolmentRuleRuns")
      .set({ state: "applied", appliedAt: sql<string>`now()` })
      .where("id", "=", run.id)
      .execute();
    return;
  }
  const added = await checkPeople(tx, [rule], people, run);
  await sql`
    insert into enrolment_rule_run_rows (run_id, enrolment_id)
    select ${run.id}, unnest(${added}::uuid[])
    on conflict do nothing`.execute(tx);
  await notifyOf(tx, added);
  await tx
    .updateTable("enrolmentRuleRuns")
    .set((e) => ({ cursor: people.at(-1) ?? null, checked: e("checked", "+", people.length) }))
    .where("id", "=", run.id)
    .execute();
}

/** Takes back the next enrolments that were never opened and have no other reason; the others stay. */
async function undoTurn(tx: Tx, run: Run) {
  const rows = await tx
    .selectFrom("enrolmentRuleRunRows")
    .where("runId", "=", run.id)
    .where("undone", "is", null)
    .orderBy("enrolmentId")
    .limit(BATCH)
    .select("enrolmentId")
    .execute();
  if (rows.length === 0) {
    await tx.updateTable("enrolmentRuleRuns").set({ state: "undone" }).where("id", "=", run.id).execute();
    return;
  }
  const ids = rows.map(({ enrolmentId }) => enrolmentId);
  // A simultaneous assignment waits or is seen.
  await sql`
    select
    from courses
    where id in (select course_id from enrolments where ${isOneOf("id", ids)})
    order by id
    for key share`.execute(tx);
  const { rows: ended } = await sql<{ enrolmentId: string; ruleId: string }>`
    update enrolment_reasons
    set until = now(), ended = 'undone', ended_by = ${run.madeBy}::uuid
    where ${isOneOf("enrolment_id", ids)}
      and kind = 'rule'
      and rule_id = ${run.ruleId}
      and until is null
    returning enrolment_id, rule_id`.execute(tx);
  const undone = await withdrawUnstarted(tx, ended);
  await sql`
    update enrolment_rule_run_rows
    set undone = ${isOneOf("enrolment_id", undone)}
    where run_id = ${run.id}
      and ${isOneOf("enrolment_id", ids)}`.execute(tx);
}
