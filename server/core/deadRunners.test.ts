import { expect, test } from "vitest";
import { sql } from "kysely";
import { z } from "zod";
import { inTransaction } from "#server/core/database/db.ts";
import { lockingId } from "#server/core/deadRunners.ts";
import { job, startJobs } from "#server/core/jobs.ts";
import { start } from "#test/start.ts";

const { services } = await start();
const { db } = services;
const ran: string[] = [];
const noted = job("test:noted", z.object({ who: z.string() }), async (_, { who }) => {
  ran.push(who);
});

/** A job in a queue that a runner had taken a minute ago. */
async function takenBy(runner: string, who: string, attempts = 1) {
  const payload = JSON.stringify({ who });
  await sql`select graphile_worker.add_job('test:noted', ${payload}::json, queue_name := ${who})`.execute(db);
  await sql`
    update graphile_worker._private_jobs
    set locked_by = ${runner}, locked_at = now() - interval '1 minute', attempts = ${attempts}
    where payload ->> 'who' = ${who}`.execute(db);
  await sql`
    update graphile_worker._private_job_queues
    set locked_by = ${runner}, locked_at = now() - interval '1 minute'
    where queue_name = ${who}`.execute(db);
}
const lockOf = async (who: string) => {
  const { rows } = await sql<{ owner: string | null; waits: boolean }>`
    select locked_by as owner, run_at > now() as waits
    from graphile_worker._private_jobs
    where payload ->> 'who' = ${who}`.execute(db);
  return rows[0];
};

test("what a dead runner has locked is done, and what others have locked stays", { timeout: 90_000 }, async () => {
  const living = lockingId("pool-living");
  const other = await services.pool.connect();
  await other.query("select pg_advisory_lock(hashtextextended($1, 0))", [`job runner ${living}`]);
  await takenBy(lockingId("pool-dead"), "dead");
  await takenBy(living, "living");
  await takenBy("pool-of-the-previous-release", "previous");
  await takenBy(lockingId("pool-killed"), "killer", 5);
  const runner = await startJobs(services, [noted]);
  await expect.poll(() => ran, { timeout: 60_000 }).toContain("dead");
  expect((await lockOf("living"))?.owner).toBe(living);
  expect((await lockOf("previous"))?.owner).toBe("pool-of-the-previous-release");
  // A job that has ended its server five times is not begun at once again.
  expect(await lockOf("killer")).toEqual({ owner: null, waits: true });
  expect(ran).toEqual(["dead"]);
  await runner.stop();
  other.release(true);
});

test("a runner that loses its connections takes its lock again, and ends in time", { timeout: 90_000 }, async () => {
  const runner = await startJobs(services, [noted]);
  const countLocks = async () => {
    const { rows } = await sql<{ locks: number }>`
      select count(*)::int as locks
      from pg_locks
      join pg_stat_activity using (pid)
      where locktype = 'advisory'
        and pg_locks.database = (select oid from pg_database where datname = current_database())
        and query like '%job runner%'
        and pid <> pg_backend_pid()`.execute(db);
    return rows[0]?.locks;
  };
  await expect.poll(countLocks, { timeout: 20_000 }).toBe(1);
  await sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database()
      and query like '%pg_try_advisory_lock%'
      and pid <> pg_backend_pid()`.execute(db);
  await expect.poll(countLocks, { timeout: 20_000 }).toBe(0);
  await expect.poll(countLocks, { timeout: 20_000 }).toBe(1);
  await inTransaction(db, (tx) => noted.enqueue(tx, { who: "after the loss" }));
  await expect.poll(() => ran, { timeout: 20_000 }).toContain("after the loss");
  await runner.stop();
  await expect.poll(countLocks, { timeout: 20_000 }).toBe(0);
});
