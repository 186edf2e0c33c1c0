import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { BackupError } from "#server/core/backup/archive.ts";
import { restoreBackup } from "#server/core/backup/restore.ts";
import { readConfig } from "#server/core/config.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { lockDataFolder } from "#server/core/http/server.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createServices } from "#server/core/services.ts";

/** `npm run restore -- FILE`: restores a backup into an empty DATA_DIR and database. See docs/operations.md. */
const [file] = process.argv.slice(2);
if (!file) fail("Name the backup: npm run restore -- FILE");
const config = readConfig();
const log = createLog("error");
await mkdir(config.filesDir, { recursive: true });
const embedded = config.databaseUrl ? null : await startPostgres(config.dataDir, log);
const connection = embedded?.connection ?? { connectionString: config.databaseUrl as string };
const services = createServices(config, log, connection);
try {
  const lock = await lockDataFolder(services);
  const { createdAt, rows, entries } = await restoreBackup(services, resolve(file)).finally(() => lock.release(true));
  const files = Object.keys(entries).filter((name) => name.startsWith("files/")).length;
  process.stdout.write(`Restored the backup of ${createdAt}: ${rows} rows and ${files} files. Start the server now.\n`);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof BackupError ? error.message : String(error)}\n`);
} finally {
  await endPools(services);
  await embedded?.stop();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
