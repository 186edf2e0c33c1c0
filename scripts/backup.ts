import { resolve } from "node:path";
import { createBackup } from "#server/core/backup/backup.ts";
import { readConfig } from "#server/core/config.ts";
import { createPool } from "#server/core/database/db.ts";
import { waitForDatabase } from "#server/core/http/server.ts";
import { createLog } from "#server/core/log.ts";
import { openStorage } from "#server/core/storage/configuredStorage.ts";
import { connectToPostgres } from "#server/core/postgres/commandConnection.ts";

/**
 * `npm run backup -- FILE`: writes a backup of the running (or stopped) server to a new file. See docs/operations.md.
 */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const [file] = process.argv.slice(2);
if (!file) fail("Name the file to write: npm run backup -- FILE");
try {
  await backUp(file);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
// A database that the server has started is watched as long as this process runs.
process.exit();

async function backUp(file: string) {
  const config = readConfig(process.env, { mustExist: true });
  const log = createLog("error");
  const embedded = config.databaseUrl ? null : await connectToPostgres(config.dataDir, log, { mustExist: true });
  const pool = createPool(embedded?.connection ?? { connectionString: config.databaseUrl as string }, log, { max: 2 });
  const stopping = new AbortController();
  for (const name of SIGNALS) process.once(name, () => stopping.abort(`The backup was ended by ${name}.`));
  try {
    if (!embedded) await waitForDatabase(pool, log, 0);
    const services = { config, pool, storage: openStorage(config) };
    const { bytes, rows, files } = await createBackup(services, resolve(file), stopping.signal);
    const size = (bytes / 1024 ** 2).toFixed(1);
    process.stdout.write(
      `${file}: ${size} MB with ${rows} rows and ${files} files. It contains personal data and the secret.\n`,
    );
  } finally {
    await pool.end();
    await embedded?.close();
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
