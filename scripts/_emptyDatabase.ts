import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb, createPool, type Db } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";

/** Runs `use` with an empty, migrated database on a PostgreSQL of its own, which is removed afterwards. */
export async function withEmptyDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const log = createLog("error");
  const dataDir = mkdtempSync(join(tmpdir(), "lyceum-retrieval-"));
  const postgres = await startPostgres(dataDir, log);
  try {
    const pool = createPool(postgres.connection, log);
    await migrate(pool);
    const result = await use(createDb(pool));
    await pool.end();
    return result;
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
