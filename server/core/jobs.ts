import { Logger, makeWorkerUtils, run, type Runner } from "graphile-worker";
import { sql } from "kysely";
import { z } from "zod";
import { createPool, type Db } from "#server/core/database/db.ts";
import { onPool } from "#server/core/database/pools.ts";
import type { Services } from "#server/core/services.ts";

/** A kind of background job: name, its work on an unparsed payload, and a crontab line (UTC) if it runs on a schedule. */
export type Job = {
  name: string;
  run: (services: Services, payload: unknown) => Promise<void>;
  cron?: string;
};

export const job = <S extends z.ZodType>(
  name: string,
  payload: S,
  work: (services: Services, payload: z.output<S>) => Promise<void>,
  cron?: string,
) => ({
  name,
  work,
  run: (services: Services, input: unknown) => work(services, payload.parse(input)),
  ...(cron && { cron }),
  /** Enqueues the job; within a transaction, only if that commits. Pending jobs with the same `key` are one job. */
  enqueue: (db: Db, input: z.input<S>, options: { key?: string; runAt?: Date } = {}) =>
    sql`select graphile_worker.add_job(${name}, ${JSON.stringify(input)}::json, run_at := ${options.runAt ?? new Date()}, job_key := ${options.key ?? null})`.execute(
      db,
    ),
});

/** Creates or upgrades the tables of the job queue. */
export async function prepareJobs(services: Services) {
  const utils = await makeWorkerUtils({ pgPool: services.pool });
  await utils.migrate();
  await utils.release();
}

/** Runs jobs until `stop()`. A failed job is logged and retried with increasing delays, at most 25 times. */
export async function startJobs(services: Services, jobs: Job[]): Promise<Runner> {
  const { log, accessChanges } = services;
  const own = onPool(services, "jobs");
  const pool = createPool(services.connection, log, { max: 4, accessChanges });
  const runner = await run({
    pgPool: pool,
    concurrency: 2,
    noHandleSignals: true,
    pollInterval: 2000,
    crontab: jobs
      .filter((j) => j.cron)
      .map((j) => `${j.cron} ${j.name}`)
      .join("\n"),
    taskList: Object.fromEntries(
      jobs.map((j) => [
        j.name,
        async (payload) => {
          const { _cron, ...input } = (payload ?? {}) as Record<string, unknown>;
          await j.run(own, input);
        },
      ]),
    ),
    logger: createJobLogger(services),
  });
  runner.promise.catch((error: unknown) => log.error({ err: error }, "the job runner ended")).finally(() => pool.end());
  return runner;
}

function createJobLogger({ log }: Services) {
  const write = (level: string, message: string) =>
    level === "error" ? log.error({ message }, "job") : log.debug({ message }, "job");
  return new Logger(() => write);
}
