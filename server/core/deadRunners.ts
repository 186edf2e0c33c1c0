import { sql } from "kysely";
import type pg from "pg";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Log } from "#server/core/log.ts";

// A process that is killed leaves its jobs, and the queues of these jobs, locked; graphile-worker frees them after four
// hours. Here every runner holds an advisory lock as long as it lives: what is locked by a runner without one is free.

/** Locks of this age or younger stay: their runner may be about to take its advisory lock. */
const MIN_AGE_SECONDS = 10;
/**
 * How often the locks of dead runners are looked for, in ms. A runner is dead if it has no lock twice: when PostgreSQL
 * restarts, those that live have lost theirs for a moment.
 */
const CHECK_MS = 5000;
/** After this, in ms, a runner that has lost its connection takes its lock again. */
const RETRY_MS = 500;
const lockName = (runnerId: string) => `job runner ${runnerId}`;

/**
 * Holds the lock of a runner on a connection of its own, and frees what dead runners have locked, until the returned
 * function is called.
 */
export async function startRunnerLock(pool: pg.Pool, db: Db, runnerId: string, log: Log) {
  let client: pg.PoolClient | null = null;
  let isStopped = false;
  let suspects: string[] = [];
  const hold = async () => {
    const next = await pool.connect();
    // A lost connection has lost the lock.
    next.once("error", () => {
      if (client !== next) return;
      client = null;
      setTimeout(check, RETRY_MS).unref();
    });
    await next.query("select pg_advisory_lock(hashtextextended($1, 0))", [lockName(runnerId)]);
    if (isStopped) next.release(true);
    else client = next;
  };
  let checking = Promise.resolve();
  function check() {
    checking = checking
      .then(async () => {
        if (isStopped) return;
        if (!client) await hold();
        else suspects = await freeDeadLocks(db, suspects);
      })
      .catch((error: unknown) => log.warn({ err: error }, "locks of dead job runners were not checked"));
  }
  await hold();
  const timer = setInterval(check, CHECK_MS);
  timer.unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await checking;
    client?.release(true);
    client = null;
  };
}

/** Frees the jobs and queues of those runners among `suspects` that have no lock; returns all others without one. */
const freeDeadLocks = (db: Db, suspects: string[]) =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      with owners as materialized (
        select locked_by as id
        from graphile_worker._private_job_queues
        where locked_at < now() - make_interval(secs => ${MIN_AGE_SECONDS})
        union
        select locked_by
        from graphile_worker._private_jobs
        where locked_at < now() - make_interval(secs => ${MIN_AGE_SECONDS})
      )
      select id
      from owners
      where pg_try_advisory_xact_lock(hashtextextended('job runner ' || id, 0))`.execute(tx);
    const missing = rows.map(({ id }) => id);
    const dead = missing.filter((id) => suspects.includes(id));
    if (dead.length > 0) await sql`select graphile_worker.force_unlock_workers(${dead})`.execute(tx);
    return missing.filter((id) => !dead.includes(id));
  });
