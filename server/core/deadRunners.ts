import { sql } from "kysely";
import pg from "pg";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Log } from "#server/core/log.ts";

// A process that is killed leaves its jobs, and the queues of these jobs, locked; graphile-worker frees them after four
// hours. Here every runner holds an advisory lock as long as it lives: what is locked by a runner without one is free.

/** Begins the ids of runners that hold a lock. Those of an earlier release, during an upgrade, do not. */
const PREFIX = "locking-";
export const lockingId = (id: string) => `${PREFIX}${id}`;

/** Locks of this age or younger stay: their runner may be about to take its advisory lock. */
const MIN_AGE_SECONDS = 10;
/** How often the lock is looked after, and the locks of dead runners are looked for, in ms. */
const CHECK_MS = 5000;
/**
 * A runner is dead if it had no lock this many times. When PostgreSQL restarts, those that live have lost theirs for a
 * moment.
 */
const CHECKS = 3;
const CONNECT_MS = 5000;
/** The longest wait of a job that has ended its server. */
const MAX_WAIT_SECONDS = 60;

/**
 * Holds the lock of a runner on a connection of its own, and frees what dead runners have locked, until the returned
 * function is called.
 */
export function startRunnerLock(connection: pg.ClientConfig, db: Db, runnerId: string, log: Log) {
  let client: pg.Client | null = null;
  let isStopped = false;
  /** How often a runner was found without a lock, by its id. */
  let missed = new Map<string, number>();
  const drop = (one: pg.Client) => {
    if (client === one) client = null;
    void one.end().catch(() => {});
  };
  const hold = async () => {
    const next = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: CONNECT_MS });
    next.once("error", () => drop(next));
    try {
      await next.connect();
      const { rows } = await next.query<{ isHeld: boolean }>(
        `select pg_try_advisory_lock(hashtextextended('job runner ' || $1, 0)) as "isHeld"`,
        [runnerId],
      );
      // A connection that has broken off may hold it still; then the next check tries again.
      if (isStopped || !rows[0]?.isHeld) drop(next);
      else client = next;
    } catch (error) {
      drop(next);
      throw error;
    }
  };
  const check = async () => {
    if (isStopped) return;
    if (client) missed = await freeDeadLocks(db, missed);
    else {
      missed = new Map();
      await hold();
    }
  };
  let checking = Promise.resolve();
  const checkNow = () => {
    checking = checking
      .then(check)
      .catch((error: unknown) => log.warn({ err: error }, "locks of dead job runners were not checked"));
  };
  checkNow();
  const timer = setInterval(checkNow, CHECK_MS);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
    if (client) drop(client);
  };
}

/** Frees the jobs and queues of those who had no lock often enough; returns how often the others had none. */
const freeDeadLocks = (db: Db, missed: ReadonlyMap<string, number>) =>
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
      where id like ${`${PREFIX}%`}
        and pg_try_advisory_xact_lock(hashtextextended('job runner ' || id, 0))`.execute(tx);
    const counted = new Map(rows.map(({ id }) => [id, (missed.get(id) ?? 0) + 1]));
    const dead = [...counted].filter(([, times]) => times >= CHECKS).map(([id]) => id);
    if (dead.length > 0) await unlock(tx, dead);
    for (const id of dead) counted.delete(id);
    return counted;
  });

/** Frees the jobs and queues of all runners, where none can be alive. */
export const freeAllLocks = (db: Db) =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select locked_by as id
      from graphile_worker._private_job_queues
      where locked_by is not null
      union
      select locked_by
      from graphile_worker._private_jobs
      where locked_by is not null`.execute(tx);
    if (rows.length > 0)
      await unlock(
        tx,
        rows.map(({ id }) => id),
      );
  });

/** Frees what runners have locked. A job that has ended its server several times waits longer each time. */
async function unlock(tx: Tx, runners: string[]) {
  await sql`
    update graphile_worker._private_jobs
    set run_at = now() + make_interval(secs => least(${MAX_WAIT_SECONDS}, 2 ^ (attempts - 1) - 1))
    where locked_by = any(${runners})
      and attempts > 1`.execute(tx);
  await sql`select graphile_worker.force_unlock_workers(${runners})`.execute(tx);
}
