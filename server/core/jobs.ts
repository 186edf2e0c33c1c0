import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, makeWorkerUtils, run, type WorkerEvents } from "graphile-worker";
import { sql } from "kysely";
import { z } from "zod";
import { createPool, type Db } from "#server/core/database/db.ts";
import { lockingId, startRunnerLock } from "#server/core/deadRunners.ts";
import { onPool } from "#server/core/database/pools.ts";
import type { Services } from "#server/core/services.ts";

/**
 * A kind of background job: name, its work on an unparsed payload, and a crontab line (UTC) if it runs on a schedule.
 * Of the jobs of a queue one runs at a time, and the others wait without keeping a worker from jobs of other kinds.
 */
export type Job = {
  name: string;
  run: (services: Services, payload: unknown) => Promise<void>;
  cron?: string;
  queue?: string;
};

export const job = <S extends z.ZodType>(
  name: string,
  payload: S,
  work: (services: Services, payload: z.output<S>) => Promise<void>,
  cron?: string,
  queue?: string,
) => ({
  name,
  work,
  run: (services: Services, input: unknown) => work(services, payload.parse(input)),
  ...(cron && { cron }),
  ...(queue && { queue }),
  /** Enqueues the job; within a transaction, only if that commits. Pending jobs with the same `key` are one job. */
  enqueue: (db: Db, input: z.input<S>, { key, runAt = new Date() }: { key?: string; runAt?: Date } = {}) =>
    sql`
      select graphile_worker.add_job(
        ${name},
        ${JSON.stringify(input)}::json,
        queue_name := ${queue ?? null},
        run_at := ${runAt},
        job_key := ${key ?? null}
      )`.execute(db),
});

/** Creates or upgrades the tables of the job queue. */
export async function prepareJobs({ pool }: Pick<Services, "pool">) {
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.migrate();
  await utils.release();
}

/** Pauses before a runner that has ended is started again, in ms; the last one repeats. */
const RESTART_MS = [1000, 5000, 30_000];
/** After a run of this length, in ms, the next pause is the first one again. */
const STABLE_MS = 300_000;

/**
 * Runs jobs until `stop()`. A failed job is logged and retried with increasing delays, at most 25 times. A runner ends
 * when it cannot store the outcome of a job, for example while the database is down; then a new one is started.
 */
export async function startJobs(services: Services, jobs: Job[]) {
  const { log } = services;
  const stopping = new AbortController();
  let runner = await startRunner(services, jobs);
  const keepRunning = async () => {
    for (let failures = 0; ; failures++) {
      const startedAt = performance.now();
      await runner.promise.catch((error: unknown) => log.error({ err: error }, "the job runner ended"));
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > STABLE_MS) failures = 0;
      const pause = RESTART_MS[Math.min(failures, RESTART_MS.length - 1)] as number;
      await sleep(pause, null, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      runner = await startRunner(services, jobs).catch((error: unknown) => ({
        stop: async () => {},
        promise: Promise.reject(error),
      }));
      if (stopping.signal.aborted) await runner.stop();
    }
  };
  const ended = keepRunning();
  return {
    async stop() {
      stopping.abort();
      await runner.stop().catch(() => {});
      await ended;
    },
  };
}

/** How long ended jobs may take to report their end. */
const DRAIN_MS = 5000;
const DRAIN_STEP_MS = 10;

async function startRunner(services: Services, jobs: Job[]) {
  const { log, accessChanges } = services;
  const jobServices = onPool(services, "jobs");
  const pool = createPool(services.connection, log, { max: 4, accessChanges });
  const events: WorkerEvents = new EventEmitter();
  const runnerId = new Promise<string>((resolve) =>
    events.once("pool:create", ({ workerPool }) => {
      workerPool.id = lockingId(workerPool.id);
      resolve(workerPool.id);
    }),
  );
  const endPool = async () => {
    // Jobs that have just ended still report their end. A closed pool would never give them a connection for it.
    for (let waited = 0; pool.waitingCount > 0 && waited < DRAIN_MS; waited += DRAIN_STEP_MS)
      await sleep(DRAIN_STEP_MS);
    await pool.end().catch((error: unknown) => log.warn({ err: error }, "connections of jobs did not end"));
  };
  const runner = await run({
    events,
    pgPool: pool,
    concurrency: 2,
    noHandleSignals: true,
    pollInterval: 2000,
    crontab: jobs
      .filter((j) => j.cron)
      .map((j) => `${j.cron} ${j.name}${j.queue ? ` ?queue=${j.queue}` : ""}`)
      .join("\n"),
    taskList: Object.fromEntries(
      jobs.map((j) => [
        j.name,
        async (payload) => {
          const { _cron, ...input } = (payload ?? {}) as Record<string, unknown>;
          await j.run(jobServices, input);
        },
      ]),
    ),
    logger: createJobLogger(services),
  }).catch(async (error: unknown) => {
    await endPool();
    throw error;
  });
  const releaseLock = startRunnerLock(services.connection, jobServices.db, await runnerId, log);
  const end = async () => {
    releaseLock();
    await endPool();
  };
  return { stop: () => runner.stop(), promise: runner.promise.finally(end) };
}

function createJobLogger({ log }: Services) {
  const write = (level: string, message: string) =>
    level === "error" ? log.error({ message }, "job") : log.debug({ message }, "job");
  return new Logger(() => write);
}
