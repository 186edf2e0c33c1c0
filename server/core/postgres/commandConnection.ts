import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "#server/core/log.ts";
import { adopt, kill, readOrCreatePassword, type Running, startPostgres } from "#server/core/postgres/postgres.ts";

/**
 * Connects to the embedded PostgreSQL of a data folder, for commands that may run beside the server. Starts it if it is
 * not running. `close` stops it unless others use it, even if it was running: a killed command may have left it. With
 * `mustExist`, no database is created.
 */
export async function connectToPostgres(dataDir: string, log: Log, { mustExist = false } = {}) {
  if (mustExist && !existsSync(join(dataDir, "postgres/PG_VERSION")))
    throw new Error(`DATA_DIR (${dataDir}) has no database. Set DATABASE_URL to that of the server.`);
  const running = await adopt(join(dataDir, "postgres"), readOrCreatePassword(join(dataDir, "postgres.password")));
  if (!running) {
    const started = await startPostgres(dataDir, log);
    return { connection: started.connection, close: started.stop };
  }
  const close = async () => {
    if (await isUsed(running.connection)) return;
    kill(running.pid, "SIGINT");
    await running.ended();
  };
  return { connection: running.connection, close };
}

/** PostgreSQL notices within 5 s (`client_connection_check_interval`) that the client of a running query has died. */
const DEAD_CLIENT_MS = 7000;

/**
 * Whether anything else is connected. A server always is, with connections that are idle. One that runs a query may be
 * that of a killed command, and is waited for.
 */
async function isUsed(connection: Running["connection"]) {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  try {
    await client.connect();
    for (const deadline = Date.now() + DEAD_CLIENT_MS; Date.now() < deadline; await sleep(100)) {
      const { rows } = await client.query<{ isIdle: boolean }>(`
        select state <> 'active' as "isIdle"
        from pg_stat_activity
        where backend_type = 'client backend'
          and pid <> pg_backend_pid()`);
      if (rows.length === 0) return false;
      if (rows.some(({ isIdle }) => isIdle)) return true;
    }
    return true;
  } catch {
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
