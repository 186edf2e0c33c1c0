import type pg from "pg";
import type { AccessChanges } from "#server/core/database/accessChanges.ts";
import type { Connection } from "#server/core/database/connection.ts";
import { createDb, createPool, type Db, type PoolLimits } from "#server/core/database/db.ts";
import type { Log } from "#server/core/log.ts";

/**
 * Connections of a node by kind of work, so that no kind can exhaust those of another. Together with those of the login
 * library (4), the job queue (5) and the listeners (3), a node uses at most 50.
 */
const kinds = {
  /** Launches and commits; also the look-up of the caller of every request. Commits write over three at once. */
  learning: { max: 8, waitSeconds: 30, staysOpen: true, lockSeconds: 10, statementSeconds: 60, idleSeconds: 30 },
  /** Pages and conversations of learners. */
  learners: { max: 8, waitSeconds: 30, lockSeconds: 10, statementSeconds: 60, idleSeconds: 30 },
  /** Admins and guests. */
  pages: { max: 8, lockSeconds: 10, statementSeconds: 60, idleSeconds: 30 },
  /** Reports and analyses, and what exports look up first. */
  heavy: { max: 4, lockSeconds: 10, statementSeconds: 60, idleSeconds: 30 },
  /** Exports: each holds a connection until it is downloaded. */
  exports: { max: 4, lockSeconds: 10, statementSeconds: 300, idleSeconds: 60 },
  /** Background jobs, and the processing of stored values. */
  jobs: { max: 6, lockSeconds: 30, statementSeconds: 1800, idleSeconds: 300 },
} satisfies Record<string, PoolLimits>;

export type PoolKind = keyof typeof kinds;
/** What queries run on: a pool, and Kysely on it. */
export type Queries = { pool: pg.Pool; db: Db };
export type Pools = Record<PoolKind, Queries>;

/** A pool for each kind of work; `max` bounds each of them further. Connections are opened on demand. */
export function createPools(connection: Connection, log: Log, accessChanges: AccessChanges, max = Infinity): Pools {
  const create = (kind: PoolKind): Queries => {
    const limits = kinds[kind];
    const pool = createPool(connection, log, { limits: { ...limits, max: Math.min(limits.max, max) }, accessChanges });
    return { pool, db: createDb(pool) };
  };
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, create(kind as PoolKind)])) as Pools;
}

/** The same services with the connections of a kind of work. */
export const onPool = <S extends { pools: Pools }>(services: S, kind: PoolKind): S => ({
  ...services,
  ...services.pools[kind],
});

/** Closes all connections; waits for those in use. */
export const endPools = async ({ pools }: { pools: Pools }) => {
  await Promise.all(Object.values(pools).map(({ pool }) => pool.end()));
};
