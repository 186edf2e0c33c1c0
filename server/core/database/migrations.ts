import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isDeadlock, isTimeout } from "#server/core/database/db.ts";

const folder = join(import.meta.dirname, "../../../migrations");
/** The names of all migrations of this version, in order. */
export const listMigrations = async () => (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();

/** Key of the advisory lock; any number that nothing else uses. */
const LOCK = 7_310_951;

/**
 * The longest time that a migration waits for a lock. Other queries of the same table queue behind it, so it gives up
 * and tries again later, at most `MAX_TRIES` times: the previous version keeps serving meanwhile.
 */
const LOCK_TIMEOUT_MS = 500;
const MAX_TRIES = 120;
const PAUSE_MS = 500;

/**
 * First line of a file whose statements run one by one: an index that is created `concurrently` blocks no writers, but
 * cannot be created in a transaction; a block may commit after each batch of rows. An interrupted file runs again from
 * its beginning.
 */
const OUTSIDE = "-- outside a transaction";

/**
 * Applies pending SQL files in order, each in its own transaction, under an advisory lock, so that two starting servers
 * do not collide; with `only`, just these files. Returns the names of the applied files. Throws if the database is
 * newer than the code, or if a migration fails.
 */
export async function migrate(pool: pg.Pool, only?: string[]): Promise<string[]> {
  const client = await pool.connect();
  try {
    // A migration may exceed the limits of the pool, which are meant for requests.
    await client.query("set statement_timeout = 0");
    await client.query("set lock_timeout = 0");
    await takeLock(client);
    await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    const appliedBefore = new Set(
      (await client.query<{ name: string }>("select name from migrations")).rows.map((row) => row.name),
    );
    const files = await listMigrations();
    const unknown = [...appliedBefore].filter((name) => !files.includes(name));
    if (unknown.length > 0)
      throw new Error(`The database is newer than this code: it has ${unknown.join(", ")}. Start a newer version.`);
    const applied = [];
    for (const name of files.filter((file) => !appliedBefore.has(file) && (only?.includes(file) ?? true))) {
      await apply(client, name);
      applied.push(name);
    }
    return applied;
  } finally {
    // The lock and the settings end with the connection.
    client.release(true);
  }
}

/** Polls for the lock: creating an index `concurrently` would wait for another server that waits within a statement. */
async function takeLock(client: pg.PoolClient) {
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [LOCK]);
    if (rows[0]?.isOurs) return;
    await sleep(PAUSE_MS);
  }
}

async function apply(client: pg.PoolClient, name: string) {
  const statements = await readFile(join(folder, name), "utf8");
  if (statements.startsWith(OUTSIDE)) return applyOutside(client, name, statements);
  for (let tries = 1; ; tries++) {
    await client.query("begin");
    try {
      await client.query(statements);
      await client.query("insert into migrations (name) values ($1)", [name]);
      await client.query("commit");
      return;
    } catch (error) {
      await client.query("rollback");
      if ((isTimeout(error) || isDeadlock(error)) && tries < MAX_TRIES) await sleep(PAUSE_MS);
      else throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** The statements of a file; a semicolon at the end of a line ends one, unless it is in a block between `$$`. */
export function splitStatements(text: string): string[] {
  const statements = [""];
  for (const [at, part] of text.split("$$").entries()) {
    const [first = "", ...others] = at % 2 === 1 ? [`$$${part}$$`] : part.split(/;\s*$/m);
    statements.push((statements.pop() ?? "") + first, ...others);
  }
  return statements.filter((statement) => statement.trim() !== "");
}

async function applyOutside(client: pg.PoolClient, name: string, statements: string) {
  await client.query("set lock_timeout = 0");
  try {
    for (const statement of splitStatements(statements)) await client.query(statement);
    await client.query("insert into migrations (name) values ($1)", [name]);
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
}
