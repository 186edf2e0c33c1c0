import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";

// Leases: a node takes rows to work on, and another one takes them over when it has stopped renewing. The tables have a
// column `leased_until`, which is null for rows that nobody has taken.

/** SQL: the end of a lease that is taken or renewed now. */
export const leaseEnd = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** SQL condition: nobody has taken the row, or its lease has ended. */
export const isUnleased = sql<boolean>`coalesce(leased_until, '-infinity') < now()`;

type Claim = {
  table: string;
  seconds: number;
  /** The most rows to take. */
  limit: number;
  /** SQL condition: the rows that need work. */
  due: RawBuilder<unknown>;
  /** SQL order: the rows that are taken first. */
  order: RawBuilder<unknown>;
  /** SQL: further columns to set, such as `state = 'running'`. */
  set?: RawBuilder<unknown>[];
  /** Columns to return. */
  returning: string[];
};

/** Takes due rows that nobody else works on. Rows that another node is just taking are skipped. */
export async function claimRows<Row>(db: Db, claim: Claim): Promise<Row[]> {
  const { table, seconds, limit, due, order, set = [], returning } = claim;
  const changes = [sql`leased_until = ${leaseEnd(seconds)}`, ...set];
  const { rows } = await sql<Row>`
    update ${sql.table(table)}
    set ${sql.join(changes)}
    where id = any(array(
      select id
      from ${sql.table(table)}
      where ${due}
        and ${isUnleased}
      order by ${order}
      limit ${limit}
      for update skip locked
    ))
    returning ${sql.join(returning.map((column) => sql.ref(column)))}`.execute(db);
  return rows;
}

/** Renews a lease three times within its duration, until the returned function is called. */
export function startHeartbeat(seconds: number, renew: () => unknown) {
  const timer = setInterval(renew, (seconds * 1000) / 3);
  return () => clearInterval(timer);
}
