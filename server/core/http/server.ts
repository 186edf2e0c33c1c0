import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { UNFINISHED_RESTORE } from "#server/core/backup/leftovers.ts";
import { type Config } from "#server/core/config.ts";
import { endPools } from "#server/core/database/pools.ts";
import { prepareJobs } from "#server/core/jobs.ts";
import type { Log } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { type Embedded, startPostgres } from "#server/core/postgres/postgres.ts";
import { createServices, type Services } from "#server/core/services.ts";

export type Opened = { services: Services; isNew: boolean; close: () => Promise<void> };

/** How long running statements may take when the server stops, in ms. */
const POOLS_MS = 5000;

/**
 * Connects to the configured database, or starts the embedded one, and migrates it and the tables of the job queue.
 * `isNew`: it has no users. With `startsAfresh`, the embedded database and the stored files are deleted first.
 */
export async function openServices(
  config: Config,
  log: Log,
  { startsAfresh = false }: { startsAfresh?: boolean } = {},
): Promise<Opened> {
  await prepareFolder(config);
  const embedded: Embedded | null = config.databaseUrl
    ? null
    : await startPostgres(config.dataDir, log, config.postgresSettings);
  const connection = embedded ? embedded.connection : { connectionString: config.databaseUrl as string };
  const services = createServices(config, log, connection);
  const { pool } = services;
  if (!embedded) await waitForDatabase(pool, log);
  const lock = embedded
    ? await lockDataFolder(services).catch(async (error: unknown) => {
        await endPools(services);
        throw error;
      })
    : null;
  if (embedded && startsAfresh) {
    await pool.query("drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public");
    for (const name of await readdir(config.filesDir)) await rm(join(config.filesDir, name), { recursive: true });
  }
  if (embedded) await deletePartialFiles(config.filesDir);
  const applied = await migrate(pool);
  await prepareJobs(services);
  if (applied.length > 0) log.info({ applied }, "the database was migrated");
  const { rows } = await pool.query<{ empty: boolean }>("select not exists (select from users) as empty");
  const close = async () => {
    lock?.release(true);
    // The embedded database then ends the connections of jobs that still wait, for example for a lock.
    await Promise.race([endPools(services), sleep(POOLS_MS, null, { ref: false })]);
    await embedded?.stop();
  };
  return { services, isNew: rows[0]?.empty ?? false, close };
}

/**
 * Creates the folder of files. Rejects with a message for the operator if it cannot be used, or contains a
 * half-restored backup.
 */
async function prepareFolder({ dataDir, filesDir }: Config) {
  if (existsSync(join(dataDir, UNFINISHED_RESTORE)))
    throw new Error(`A restore into DATA_DIR (${dataDir}) was interrupted. Repeat it: npm run restore -- FILE`);
  await mkdir(filesDir, { recursive: true }).catch((error: Error) => {
    throw new Error(`DATA_DIR (${dataDir}) cannot be used: ${error.message}`, { cause: error });
  });
}

/** How long a start waits for a database that does not answer, and the longest pause between two tries, in ms. */
const DATABASE_WAIT_MS = 120_000;
const MAX_PAUSE_MS = 5000;
/**
 * Codes of network failures, a server that starts or stops, and no free connection. Anything else, such as a wrong
 * password, is permanent.
 */
const TRANSIENT = /^(E[A-Z]+|08\w+|57P\w+|53300)$/;

/** Waits until `DATABASE_URL` answers, and logs that. Rejects with a message for the operator if it does not. */
export async function waitForDatabase(pool: pg.Pool, log: Log, waitMs = DATABASE_WAIT_MS) {
  const until = performance.now() + waitMs;
  for (let pause = 250; ; pause = Math.min(pause * 2, MAX_PAUSE_MS))
    try {
      return void (await pool.query("select 1"));
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      const reason = message || code;
      const isTransient = TRANSIENT.test(code) || /timeout/.test(message);
      if (!isTransient || performance.now() + pause > until)
        throw new Error(`The database of DATABASE_URL cannot be used: ${reason}.`, { cause: error });
      log.warn({ reason, nextTryMs: pause }, "waiting for the database of DATABASE_URL");
      await sleep(pause);
    }
}

/** Deletes local copies and partly unpacked packages that a crash has left; no row refers to them. */
async function deletePartialFiles(filesDir: string) {
  const remove = async (folder: string, ending: string) => {
    for (const name of await readdir(folder).catch(() => []))
      if (name.endsWith(ending)) await rm(join(folder, name), { recursive: true, force: true });
  };
  await remove(join(filesDir, "incoming"), ".zip");
  await remove(join(filesDir, "packages"), ".part");
}

/**
 * Ensures that only one server uses a data folder. The advisory lock ends with its connection, even if the process is
 * killed.
 */
export async function lockDataFolder({ pool, config }: Pick<Services, "pool" | "config">) {
  const client = await pool.connect();
  client.on("error", () => {});
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock(7310950) as locked");
    if (rows[0]?.locked) return client;
    if (tries === 20) {
      client.release(true);
      throw new Error(`Another Lyceum runs on ${config.dataDir}. Stop it first, or give this one its own DATA_DIR.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Rejects if the port is in use. Called before anything is stored: generated passwords are printed only once. */
export const ensureFree = (port: number) =>
  new Promise<void>((resolve, reject) => {
    if (port === 0) return resolve();
    const probe = createServer().once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? reject(portInUse(port)) : resolve(),
    );
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
const portInUse = (port: number) => new Error(`Port ${port} is taken. Set PORT (and CONTENT_PORT) to free ones.`);

/**
 * Listens on `host`, or on loopback, or on all addresses (IPv4 only if the system has no IPv6). Rejects if the port is
 * in use.
 */
export async function listen(app: FastifyInstance, host: string | undefined, port: number, loopback: boolean) {
  try {
    await app.listen({ port, host: host ?? (loopback ? "localhost" : "::") });
  } catch (error) {
    if (!host && !loopback && ["EAFNOSUPPORT", "EADDRNOTAVAIL"].includes(String((error as NodeJS.ErrnoException).code)))
      return void (await app.listen({ port, host: "0.0.0.0" }));
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") throw portInUse(port);
    throw error;
  }
}
