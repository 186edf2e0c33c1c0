import { resolve } from "node:path";
import { BackupError } from "#server/core/backup/archive.ts";
import { createBackup } from "#server/core/backup/backup.ts";
import { readConfig } from "#server/core/config.ts";
import { createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { openStorage } from "#server/core/storage/openStorage.ts";
import { connectToPostgres } from "#server/core/postgres/postgres.ts";

/** `npm run backup -- FILE`: writes a backup of the running (or stopped) server to a new file. See docs/operations.md. */
const [file] = process.argv.slice(2);
if (!file) fail("Name the file to write: npm run backup -- FILE");
const config = readConfig();
const log = createLog("error");
const embedded = config.databaseUrl ? null : await connectToPostgres(config.dataDir, log);
const pool = createPool(embedded?.connection ?? { connectionString: config.databaseUrl as string }, log, { max: 2 });
try {
  const { bytes, rows, files } = await createBackup({ config, pool, storage: openStorage(config) }, resolve(file));
  const size = (bytes / 1024 ** 2).toFixed(1);
  process.stdout.write(
    `${file}: ${size} MB with ${rows} rows and ${files} files. It contains personal data and the secret.\n`,
  );
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof BackupError ? error.message : String(error)}\n`);
} finally {
  await pool.end();
  await embedded?.close();
  // A database that the server has started is watched as long as this process runs.
  process.exit();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
