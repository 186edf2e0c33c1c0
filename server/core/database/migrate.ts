import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";

const folder = join(import.meta.dirname, "../../../migrations");
/** The names of all migrations of this version, in order. */
export const listMigrations = async () => (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();

/** Key of the advisory lock; any number that nothing else uses. */
const LOCK = 7_310_951;

/**
 * Applies pending SQL files in order, each in its own transaction, under an advisory lock, so that two starting servers do not
 * collide; with `only`, just these files. Returns the names of the applied files. Throws if the database is newer than the code, or if a migration fails.
 */
export async function migrate(pool: pg.Pool, only?: string[]): Promise<string[]> {
  const client = await pool.connect();
  try {
    // The limits of the pool are for requests.
    await client.query("set statement_timeout = 0");
    await client.query("set lock_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [LOCK]);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    const known = new Set(
      (await client.query<{ name: string }>("select name from migrations")).rows.map((row) => row.name),
    );
    const files = await listMigrations();
    const unknown = [...known].filter((name) => !files.includes(name));
    if (unknown.length > 0)
      throw new Error(`The database is newer than this code: it has ${unknown.join(", ")}. Start a newer version.`);
    const applied = [];
    for (const name of files.filter((file) => !known.has(file) && (only?.includes(file) ?? true))) {
      await client.query("begin");
      try {
        await client.query(await readFile(join(folder, name), "utf8"));
        await client.query("insert into migrations (name) values ($1)", [name]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
    return applied;
  } finally {
    // The lock and the settings end with the connection.
    client.release(true);
  }
}
