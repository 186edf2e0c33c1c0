import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import pg from "pg";
import { listTables, withEmptyTables } from "#server/core/backup/tables.ts";
import { createPool } from "#server/core/database/db.ts";
import { createLog } from "#server/core/log.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";

/**
 * A snapshot of the database and data folder of a version of Lyceum, small enough for the repository: names of the
 * applied migrations, every row of every table as JSON, the secret, and the stored files as base64.
 */
export type DataSnapshot = {
  migrations: string[];
  tables: Record<string, unknown[]>;
  secret: string;
  files: Record<string, string>;
};

const MIGRATIONS = join(import.meta.dirname, "../migrations");

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Takes a snapshot of a stopped or running server's data folder; `connection` leads to its database. */
export async function takeSnapshot(dataDir: string, connection: pg.ClientConfig): Promise<DataSnapshot> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows: names } = await client.query<{ name: string }>("select name from migrations order by name");
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'migrations'",
    );
    const contents: Record<string, unknown[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: unknown }>(`select to_jsonb(t) as row from public.${name} t`);
      if (rows.length > 0) contents[name] = rows.map(({ row }) => row);
    }
    const files: Record<string, string> = {};
    // Unpacked packages are left out: the server unpacks them again from the stored file.
    for (const path of (await filesBelow(join(dataDir, "files"))).filter((one) => !one.includes("/files/packages/")))
      files[relative(dataDir, path)] = (await readFile(path)).toString("base64");
    const secret = (await readFile(join(dataDir, "secret"))).toString("base64");
    return { migrations: names.map(({ name }) => name), tables: contents, secret, files };
  } finally {
    await client.end();
  }
}

/** Restores a snapshot to `dataDir`. A server that starts on it migrates it like any other. */
export async function restoreSnapshot(dataDir: string, snapshot: DataSnapshot) {
  await mkdir(dataDir, { recursive: true });
  const server = await startPostgres(dataDir, createLog("error"));
  const pool = createPool(server.connection, createLog("error"), { max: 1 });
  try {
    await pool.query("create table migrations (name text primary key, applied_at timestamptz not null default now())");
    for (const name of snapshot.migrations) {
      await pool.query(await readFile(join(MIGRATIONS, name), "utf8"));
      await pool.query("insert into migrations (name) values ($1)", [name]);
    }
    const client = await pool.connect();
    await client.query("begin");
    const columnsOf = new Map((await listTables(client)).map(({ name, columns }) => [name, columns]));
    await withEmptyTables(client, await listTables(client), async () => {
      for (const [table, rows] of Object.entries(snapshot.tables)) {
        const columns = columnsOf.get(table);
        await client.query(
          `insert into ${table} (${columns}) overriding system value
           select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
          [JSON.stringify(rows)],
        );
      }
    });
    await client.query("commit");
    client.release();
  } finally {
    await pool.end();
    await server.stop();
  }
  await writeFile(join(dataDir, "secret"), Buffer.from(snapshot.secret, "base64"), { mode: 0o600 });
  for (const [path, content] of Object.entries(snapshot.files)) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), Buffer.from(content, "base64"));
  }
}
