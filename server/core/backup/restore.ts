import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { BackupError, type Manifest, readArchive, verifyArchive } from "#server/core/backup/archive.ts";
import { noteRestore } from "#server/core/backup/leftovers.ts";
import { listTables, withEmptyTables } from "#server/core/backup/tables.ts";
import { prepareJobs } from "#server/core/jobs.ts";
import { listMigrations, migrate } from "#server/core/database/migrations.ts";
import type { Services } from "#server/core/services.ts";

/**
 * Reads the whole file. Throws `BackupError` if it is damaged or newer than this version; needs neither a database nor
 * a data folder.
 */
export async function checkBackup(path: string): Promise<Manifest> {
  const manifest = await verifyArchive(path);
  const ownMigrations = await listMigrations();
  const unknown = manifest.migrations.filter((name) => !ownMigrations.includes(name));
  if (unknown.length > 0)
    throw new BackupError(`The backup is newer than this version of Lyceum: it has ${unknown.join(", ")}.`);
  return manifest;
}

/**
 * Restores a backup that `checkBackup` has read into an empty database and data folder. The database is written in one
 * transaction at the end, so a restore that was interrupted can be repeated. Throws `BackupError` with the reason if
 * the file or the target cannot be used; then nothing has been written.
 */
export async function restoreBackup(services: Services, path: string, manifest: Manifest): Promise<void> {
  const { pool, config } = services;
  await checkEmpty(pool);
  const note = await noteRestore(config.dataDir, config.filesDir);
  await checkFolders(config.filesDir).catch((error: unknown) => {
    note.finish();
    throw error;
  });
  await migrate(pool, manifest.migrations);
  await prepareJobs(services);
  await readArchive(path, async (name, content) => {
    const [kind, ...rest] = name.split("/");
    if (kind === "files") await restoreFile(services, rest.join("/"), content);
    if (kind === "packages") await restorePackageFile(join(config.filesDir, "packages"), rest, content);
    if (name === "secret") await writeFile(join(config.dataDir, "secret"), await text(content), { mode: 0o600 });
  });
  await restoreDatabase(pool, path);
  // The restore is complete; if this process ends now, the next start migrates the database.
  note.finish();
  await migrate(pool);
}

/** A database without tables, or with tables but without people, is empty. */
async function checkEmpty(pool: pg.Pool) {
  const { rows } = await pool.query<{ exists: boolean }>("select to_regclass('public.users') is not null as exists");
  if (!rows[0]?.exists) return;
  const { rows: people } = await pool.query("select 1 from users limit 1");
  if (people.length > 0)
    throw new BackupError("The database is not empty. Restore into a new DATA_DIR, or a new database (DATABASE_URL).");
}

/** Files of a running installation must not be mixed with those of a backup, nor its secret replaced. */
async function checkFolders(filesDir: string) {
  for (const name of ["objects", "packages"]) {
    const entries = await readdir(join(filesDir, name)).catch(() => []);
    if (entries.length > 0) throw new BackupError(`${join(filesDir, name)} is not empty. Restore into a new DATA_DIR.`);
  }
}

async function restoreFile({ storage }: Services, key: string, content: Readable) {
  const writer = await storage.write(key, 0, {});
  let bytes = 0;
  let state = {};
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      await writer.write([chunk]);
      bytes += chunk.length;
    }
    state = await writer.save();
  } finally {
    await writer.close();
  }
  await storage.finish(key, bytes, state);
}

async function restorePackageFile(folder: string, path: string[], content: Readable) {
  const target = resolve(folder, ...path);
  if (!target.startsWith(folder + sep)) throw new BackupError(`${path.join("/")} is outside of the folder of packages`);
  await mkdir(dirname(target), { recursive: true });
  await pipeline(content, createWriteStream(target));
}

async function restoreDatabase(pool: pg.Pool, path: string) {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const tables = await listTables(client);
    const missing: string[] = [];
    const isTable = new Set(tables.map(({ name }) => name));
    await withEmptyTables(client, tables, async () => {
      let columns = "";
      await readArchive(path, async (name, content) => {
        const [kind, table = ""] = name.split("/");
        if (kind === "columns") columns = (await text(content)).trim();
        if (kind === "database" && !isTable.has(table))
          throw new BackupError(
            `The database has no table ${table}: it is not as new as the backup, or newer. Use an empty one.`,
          );
        if (kind === "database")
          await pipeline(content, client.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
        if (name === "missing") missing.push(...(await text(content)).split("\n").filter(Boolean));
        if (name === "jobs.jsonl") await restoreJobs(client, await text(content));
      });
    });
    await client.query("update files set deleted_at = now() where storage_key = any($1)", [missing]);
    // Their bytes are not in the backup: the browser starts these uploads again.
    await client.query("update upload_sessions set status = 'cancelled' where status = 'active'");
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  } finally {
    client.release(true);
  }
}

type PendingJob = { identifier: string; payload: unknown; run_at: string; key: string | null; maxAttempts: number };

async function restoreJobs(client: pg.PoolClient, lines: string) {
  for (const line of lines.split("\n").filter(Boolean)) {
    const { identifier, payload, run_at: runAt, key, maxAttempts } = JSON.parse(line) as PendingJob;
    await client.query(
      "select graphile_worker.add_job($1, $2::json, run_at := $3, job_key := $4, max_attempts := $5)",
      [identifier, JSON.stringify(payload), runAt, key, maxAttempts],
    );
  }
}
