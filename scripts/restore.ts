import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { checkBackup, restoreBackup } from "#server/core/backup/restore.ts";
import { readConfig } from "#server/core/config.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { lockDataFolder, waitForDatabase } from "#server/core/http/server.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createServices } from "#server/core/services.ts";

/** `npm run restore -- FILE`: restores a backup into an empty DATA_DIR and database. See docs/operations.md. */
const [file] = process.argv.slice(2);
if (!file) fail("Name the backup: npm run restore -- FILE");
try {
  await restore(resolve(file));
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

async function restore(path: string) {
  // First, so that a file that cannot be restored leaves neither a secret nor a database behind.
  const manifest = await checkBackup(path);
  const config = readConfig();
  const log = createLog("error");
  await mkdir(config.filesDir, { recursive: true });
  const embedded = config.databaseUrl ? null : await startPostgres(config.dataDir, log);
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl as string };
  const services = createServices(config, log, connection);
  const end = async () => {
    await endPools(services);
    await embedded?.stop();
  };
  // The database is stopped; the next restore, or the next start, says what is unfinished.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(name, () => void (embedded?.stop() ?? Promise.resolve()).finally(() => fail(`Ended by ${name}.`)));
  try {
    if (!embedded) await waitForDatabase(services.pool, log, 0);
    const lock = await lockDataFolder(services);
    await restoreBackup(services, path, manifest).finally(() => lock.release(true));
  } finally {
    await end();
  }
  const files = Object.keys(manifest.entries).filter((name) => name.startsWith("files/")).length;
  const { createdAt, rows } = manifest;
  process.stdout.write(`Restored the backup of ${createdAt}: ${rows} rows and ${files} files. Start the server now.\n`);
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
