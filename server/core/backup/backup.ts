import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, open, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { type ArchiveWriter, BackupError, createArchive, partOf } from "#server/core/backup/archive.ts";
import { noteBackup, removeKilledBackups } from "#server/core/backup/leftovers.ts";
import { listTables } from "#server/core/backup/tables.ts";
import type { Services } from "#server/core/services.ts";
import { BlobMissing } from "#server/core/storage/storage.ts";
import packageJson from "../../../package.json" with { type: "json" };

export type BackupFacts = { bytes: number; rows: number; files: number };
type BackupServices = Pick<Services, "config" | "pool" | "storage">;

/**
 * Writes a backup to a new file, while the server runs: the database as of one moment, every stored file, and the
 * secret. Throws `BackupError` if the file exists, a stored file is missing, or `signal` is aborted; then no partial
 * file is left behind.
 */
export async function createBackup(
  services: BackupServices,
  path: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<BackupFacts> {
  if (existsSync(path)) throw new BackupError(`${path} exists already. Choose another name.`);
  const startedAt = new Date().toISOString();
  await removeKilledBackups(services.config.dataDir);
  await claim(partOf(path));
  const folder = await mkdtemp(join(tmpdir(), "lyceum-backup-"));
  const note = noteBackup(services.config.dataDir, [folder, partOf(path)]);
  const archive = createArchive(path);
  signal.addEventListener("abort", () => void archive.abort());
  try {
    const secret = await readFile(join(services.config.dataDir, "secret"));
    await archive.add("secret", secret.length, secret);
    const client = await services.pool.connect();
    // COPY does not notice that its reader has ended, so its connection is closed.
    signal.addEventListener("abort", () => void client.end().catch(() => {}));
    try {
      signal.throwIfAborted();
      await client.query("begin transaction isolation level repeatable read, read only");
      const { rows: names } = await client.query<{ name: string }>("select name from migrations order by name");
      const rows = await addTables(client, archive, join(folder, "table"));
      await addJobs(client, archive);
      const files = await addFiles(services, client, archive);
      await client.query("commit");
      const migrations = names.map(({ name }) => name);
      const bytes = await archive.finish({ version: packageJson.version, migrations, rows });
      await client.query("insert into backups (started_at, bytes, rows, files) values ($1, $2, $3, $4)", [
        startedAt,
        bytes,
        rows,
        files,
      ]);
      return { bytes, rows, files };
    } finally {
      client.release(true);
    }
  } catch (error) {
    await archive.abort();
    throw signal.aborted ? new BackupError(String(signal.reason)) : error;
  } finally {
    await note.finish();
  }
}

/**
 * Adds each table in the text format of COPY. The size must precede the content, so a table is written to `spool`
 * first.
 */
async function addTables(client: pg.PoolClient, archive: ArchiveWriter, spool: string) {
  let rows = 0;
  for (const { name, columns } of await listTables(client)) {
    const copy = client.query(copyTo(`copy ${name} (${columns}) to stdout`));
    await pipeline(copy, createWriteStream(spool, { mode: 0o600 }));
    rows += copy.rowCount ?? 0;
    // The first line names the columns, because the order may differ where the backup is restored.
    const head = Buffer.from(`${columns}\n`);
    const { size } = await stat(spool);
    await archive.add(`columns/${name}`, head.length, head);
    await archive.add(`database/${name}`, size, createReadStream(spool));
  }
  return rows;
}

/** Adds the pending jobs. Jobs that run on a schedule are left out: the server enqueues them itself. */
async function addJobs(client: pg.PoolClient, archive: ArchiveWriter) {
  const { rows } = await client.query(`
    select
      identifier,
      payload,
      run_at,
      key,
      max_attempts as "maxAttempts"
    from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    where not (payload::jsonb ? '_cron')
      and attempts < max_attempts
    order by jobs.id`);
  const text = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await archive.add("jobs.jsonl", text.length, text);
}

/** Adds the bytes of every stored file, and the folders of packages that cannot be unpacked again from one. */
async function addFiles({ config, pool, storage }: BackupServices, client: pg.PoolClient, archive: ArchiveWriter) {
  const { rows } = await client.query<{ storage_key: string; size: string; full_path: string }>(`
    select storage_key, size, full_path
    from files
    where deleted_at is null
    order by storage_key`);
  const missing: string[] = [];
  for (const { storage_key: key, size, full_path: path } of rows) {
    const content = await storage.read(key).catch((error: unknown) => {
      if (!(error instanceof BlobMissing)) throw error;
      return null;
    });
    if (content) await archive.add(`files/${key}`, Number(size), content);
    else if (await isDeletedMeanwhile(pool, key)) missing.push(key);
    else throw new BackupError(`The stored file ${path} (${key}) is missing.`);
  }
  const { rows: packages } = await client.query<{ id: string }>(
    "select id from packages where file_id is null order by id",
  );
  for (const { id } of packages) {
    const folder = join(config.filesDir, "packages", id);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const { size } = await stat(file);
      await archive.add(`packages/${id}/${relative(folder, file)}`, size, createReadStream(file));
    }
  }
  // Their rows are in the snapshot; restore marks them as deleted.
  const keys = Buffer.from(missing.map((key) => `${key}\n`).join(""));
  await archive.add("missing", keys.length, keys);
  return rows.length - missing.length;
}

/**
 * True if a file was deleted after the snapshot: by erasure, or because the backup took longer than deleted files are
 * kept.
 */
async function isDeletedMeanwhile(pool: pg.Pool, key: string) {
  const { rows } = await pool.query("select 1 from files where storage_key = $1 and deleted_at is null", [key]);
  return rows.length === 0;
}

/** Creates the file that is being written. Throws `BackupError` if another backup writes it. */
async function claim(partial: string) {
  const file = await open(partial, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new BackupError(`${partial} exists already: another backup is being written. Choose another name.`);
  });
  await file.close();
}
