import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { DB } from "#server/core/db.types.ts";
import type { Log } from "#server/core/log.ts";

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;
/** Where a connection goes: an address, or the parts of the embedded server. */
export type Connection =
  { connectionString: string } | { host: string; port: number; user: string; password: string; database: string };

const { builtins } = pg.types;
const isoTime = (value: string) => new Date(value.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")).toISOString();
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.TIMESTAMPTZ, isoTime],
  [builtins.DATE, (value) => value],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
]);
/** Times and dates leave the database as strings (ISO, UTC), counts and decimals as numbers. */
const types = {
  getTypeParser: (oid: number, format?: "text") => parsers.get(oid) ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** A connection pool. Idle connections that break are logged and replaced; they never end the process. */
export function createPool(connection: Connection, log: Log, options: { max?: number; isoTimes?: boolean } = {}) {
  const { max = 20, isoTimes = true } = options;
  const pool = new pg.Pool({
    ...connection,
    max,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...(isoTimes && { types }),
  });
  pool.on("error", (error) => log.warn({ err: error.message }, "an idle database connection broke"));
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Kysely on a pool; names are camelCase in code and snake_case in the database; keys inside JSON stay as they are. */
export function createDb(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** Runs `work` in one transaction: the given one, or a new one. */
export const inTransaction = <T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/** True for the error of a violated unique index, optionally of that name (SQLSTATE 23505). */
export const isUniqueViolation = (error: unknown, index?: string) =>
  error instanceof pg.DatabaseError && error.code === "23505" && (!index || error.constraint === index);

/** The error of a value that cannot be stored as it is (SQLSTATE class 22, data exception, and 23514, a broken check). */
export const isBadData = (error: unknown) => error instanceof pg.DatabaseError && /^(22|23514)/.test(error.code ?? "");

/** Connection failures, in which case nothing is known of the statement: SQLSTATE classes 08 and 57P, and socket errors. */
export function isUnavailable(error: unknown) {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? "";
  return (
    /^(08|57P|53)/.test(code) ||
    /^(ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}
