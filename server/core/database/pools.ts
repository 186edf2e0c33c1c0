import type pg from "pg";
import type { AccessChanges } from "#server/core/database/accessChanges.ts";
import type { Connection } from "#server/core/database/connection.ts";
import { createDb, createPool, type Db, type PoolLimits } from "#server/core/database/db.ts";
import type { Log } from "#server/core/log.ts";

/**
 * Connections of a node by kind of work, so that no kind can take the last one of another. Together with those of the
 * login library (4), the job queue (4) and what listens (3), a node uses at most 49.
 */
const kinds = {
  /**
   * Learners: launches, commits, their pages and conversations; also what every request needs to know of its caller.
   */
  learners: { max: 16, lockSeconds: 10, statementSeconds: 60, idleSeconds: 30 },
  /** Admins and guests. */
  pages: { max: 12, lockSeconds: 10, statementSeconds: 60, idleSeconds: 30 },
  /** Files of all rows: each holds a connection for as long as somebody downloads it. */
  exports: { max: 4, lockSeconds: 10, statementSeconds: 300, idleSeconds: 60 },
  /** Background jobs and what happens to values after they were stored. */
  jobs: { max: 6, lockSeconds: 30, statementSeconds: 1800, idleSeconds: 300 },
} satisfies Record<string, PoolLimits>;

export type PoolKind = keyof typeof kinds;
/** What queries run on: a pool, and Kysely on it. */
export type Queries = { pool: pg.Pool; db: Db };
export type Pools = Record<PoolKind, Queries>;

/** A pool for each kind of work; `max` bounds each of them further. Connections are opened when they are needed. */
export function createPools(connection: Connection, log: Log, accessChanges: AccessChanges, max = Infinity): Pools {
  const create = (kind: PoolKind): Queries => {
    const limits = kinds[kind];
    const pool = createPool(connection, log, { limits: { ...limits, max: Math.min(limits.max, max) }, accessChanges });
    return { pool, db: createDb(pool) };
  };
  return { learners: create("learners"), pages: create("pages"), exports: create("exports"), jobs: create("jobs") };
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
