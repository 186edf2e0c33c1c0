import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#server/core/config.ts";
import type { Db } from "#server/core/database/db.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { createServices, type Services } from "#server/core/services.ts";

/** Runs `use` with an empty, migrated database on a PostgreSQL of its own, which is removed afterwards. */
export async function withEmptyDatabase<T>(use: (db: Db, services: Services) => Promise<T>): Promise<T> {
  const log = createLog("error");
  const dataDir = mkdtempSync(join(tmpdir(), "lyceum-retrieval-"));
  const postgres = await startPostgres(dataDir, log);
  try {
    const config = readConfig({ DATA_DIR: dataDir, PRIVATE_HOSTS: "127.0.0.1" });
    const services = createServices(config, log, postgres.connection);
    await migrate(services.pool);
    const result = await use(services.db, services);
    await endPools(services);
    return result;
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
