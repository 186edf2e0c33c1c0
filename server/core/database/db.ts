import { CamelCasePlugin, Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { AccessChanges } from "#server/core/database/accessChanges.ts";
import type { Connection } from "#server/core/database/connection.ts";
import type { DB } from "#server/core/database/db.types.ts";
import type { Log } from "#server/core/log.ts";
import { NamingClient } from "#server/core/database/statements.ts";
import { asTransaction, checkOutsideTransaction } from "#server/core/database/transactionScope.ts";

/** The database, or a transaction on it: every function that takes a `Db` can be called inside a transaction. */
export type Db = Kysely<DB>;
/** A transaction: for functions that must not run outside of one. */
export type Tx = Transaction<DB>;

const { builtins } = pg.types;
const isoTime = (value: string) =>
  value.endsWith("infinity") ? value : new Date(value.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00")).toISOString();
const parsers = new Map<number, (value: string) => unknown>([
  [builtins.TIMESTAMPTZ, isoTime],
  [builtins.DATE, (value) => value],
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
]);
/** Timestamps arrive as ISO strings in UTC, dates as `YYYY-MM-DD`, counts and decimals as numbers. */
const types = {
  getTypeParser: (oid: number, format?: "text") => parsers.get(oid) ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig;

/** Bounds of a pool. */
export type PoolLimits = {
  /** The largest number of connections. */
  max: number;
  /** The longest wait for a connection, whether it is in use or has to be opened. */
  waitSeconds?: number;
  /** Idle connections stay open, because opening one needs the processors when they are busy. */
  staysOpen?: boolean;
  /** The longest wait for a lock; then the statement fails with SQLSTATE 55P03. */
  lockSeconds: number;
  /** The longest time for a statement; then it fails with 57014. */
  statementSeconds: number;
  /** The longest pause within a transaction; then its connection is closed with 25P03. */
  idleSeconds: number;
};

type PoolOptions = {
  /** For pools without `limits`: the largest number of connections. */
  max?: number;
  isoTimes?: boolean;
  /** Without them a statement may take any time, as for migrations and tools. */
  limits?: PoolLimits;
  /** Notified of changes of access that connections of the pool commit. Required for every pool of the server. */
  accessChanges?: AccessChanges;
};

/** A connection pool. Broken idle connections are logged and replaced; they never end the process. */
export function createPool(connection: Connection, log: Log, options: PoolOptions = {}) {
  const { max = 20, isoTimes = true, accessChanges, limits } = options;
  const pool = new pg.Pool({
    ...connection,
    max: limits?.max ?? max,
    ...(limits && {
      lock_timeout: limits.lockSeconds * 1000,
      statement_timeout: limits.statementSeconds * 1000,
      idle_in_transaction_session_timeout: limits.idleSeconds * 1000,
    }),
    Client: NamingClient,
    ...(accessChanges && { onConnect: accessChanges.follow }),
    connectionTimeoutMillis: (limits?.waitSeconds ?? 10) * 1000,
    ...(limits?.staysOpen && { idleTimeoutMillis: 0 }),
    keepAlive: true,
    ...(isoTimes && { types }),
  });
  pool.on("error", (error) => log.warn({ err: error.message }, "an idle database connection failed"));
  pool.on("connect", (client) => client.on("error", () => {}));
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  // `pool.query` connects too.
  pool.connect = ((...args: unknown[]) => {
    checkOutsideTransaction("a second connection", log);
    return connect(...args);
  }) as typeof pool.connect;
  return pool;
}

/** Kysely on a pool; names are camelCase in code and snake_case in the database; keys inside JSON stay as they are. */
export function createDb(pool: pg.Pool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [camelCase] });
}
const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/**
 * The cause of changes: `actorId` makes them (null for a guest or the system), `reason` is the name of the endpoint or
 * job.
 */
export type Cause = { actorId: string | null; reason: string };
const causes = new WeakMap<Db, Cause>();

/** The same database; history rows of transactions opened with it name this cause (migrations/0014_history.sql). */
export function withCause(db: Db, cause: Cause): Db {
  const dbWithCause = db.withoutPlugins().withPlugin(camelCase);
  causes.set(dbWithCause, cause);
  return dbWithCause;
}

/**
 * Runs `work` in the given transaction, or in a new one if `db` is not a transaction. `work` must wait for nothing but
 * statements of the transaction: no other connection and no other server (`checkOutsideTransaction`).
 */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  if (isTx(db)) return work(db);
  const cause = causes.get(db);
  return db.transaction().execute((tx) =>
    asTransaction(async () => {
      if (cause)
        await sql`
          select
            set_config('lyceum.actor', ${cause.actorId ?? ""}, true),
            set_config('lyceum.reason', ${cause.reason}, true)`.execute(tx);
      return work(tx);
    }),
  );
};
const isTx = (db: Db): db is Tx => db.isTransaction;

/** True for a violated unique constraint (SQLSTATE 23505), optionally only for the index of that name. */
export const isUniqueViolation = (error: unknown, index?: string) =>
  error instanceof pg.DatabaseError && error.code === "23505" && (!index || error.constraint === index);

/** True for a reference to a row that does not exist, or not any more (SQLSTATE 23503). */
export const isMissingReference = (error: unknown) => error instanceof pg.DatabaseError && error.code === "23503";

/** True for a deadlock (SQLSTATE 40P01): the statement or transaction was rolled back, and can be repeated. */
export const isDeadlock = (error: unknown) => error instanceof pg.DatabaseError && error.code === "40P01";

/** True for a statement that exceeded a limit of its pool: it waited for a lock (55P03) or ran (57014) for too long. */
export const isTimeout = (error: unknown) =>
  error instanceof pg.DatabaseError && ["55P03", "57014"].includes(error.code ?? "");

const MAX_TRIES = 5;
/** Repeats a transaction that loses a deadlock, up to four times. `work` must change nothing outside of it. */
export async function repeatOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isDeadlock(error)) throw error;
    }
  }
}

/** True for a value that cannot be stored: a data exception (SQLSTATE class 22) or a violated check (23514). */
export const isBadData = (error: unknown) => error instanceof pg.DatabaseError && /^(22|23514)/.test(error.code ?? "");

/** True if the database or this process found no space on a disk (SQLSTATE 53100): nothing was stored. */
export const isDiskFull = (error: unknown) =>
  error instanceof Error && ["53100", "ENOSPC", "EDQUOT"].includes(String((error as { code?: string }).code ?? ""));

/**
 * True for connection failures (SQLSTATE classes 08, 53 and 57P, 25P03, socket errors): whether the statement ran is
 * then unknown.
 */
export function isUnavailable(error: unknown) {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: string }).code ?? "";
  return (
    /^(08|57P|53|25P03)/.test(code) ||
    /^(ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}
