import type pg from "pg";
import { type AccessChanges, createAccessChanges } from "#server/core/database/accessChanges.ts";
import type { Config } from "#server/core/config.ts";
import type { Connection } from "#server/core/database/connection.ts";
import { type Admission, createAdmission } from "#server/core/limits/admission.ts";
import { createLiveChanges, type LiveChanges } from "#server/core/live/liveChanges.ts";
import type { Log } from "#server/core/log.ts";
import type { Db } from "#server/core/database/db.ts";
import { createPools, type Pools } from "#server/core/database/pools.ts";
import { openStorage } from "#server/core/storage/configuredStorage.ts";
import { createGuardedFetch, type GuardedFetch } from "#server/core/outgoing/guardedFetch.ts";
import type { Storage } from "#server/core/storage/storage.ts";

/** Shared by the whole server. Tests create the same object on an empty database. */
export type Services = {
  config: Config;
  /** The connections for launches and commits, or those of the work that these services were made for (`onPool`). */
  db: Db;
  pool: pg.Pool;
  pools: Pools;
  connection: Connection;
  log: Log;
  storage: Storage;
  accessChanges: AccessChanges;
  /** Who waits under overload. */
  admission: Admission;
  /** What nodes announce to open browsers. */
  liveChanges: LiveChanges;
  /** Outgoing requests; the global `fetch` is not used. */
  fetch: GuardedFetch;
};

/**
 * The services on a database. The caller must end them with `endPools`. `connections`: the largest number of
 * connections of each kind.
 */
export function createServices(config: Config, log: Log, connection: Connection, connections?: number): Services {
  const accessChanges = createAccessChanges(connection, log);
  const pools = createPools(connection, log, accessChanges, connections);
  return {
    config,
    log,
    connection,
    ...pools.learning,
    pools,
    accessChanges,
    admission: createAdmission(),
    liveChanges: createLiveChanges(connection, log),
    storage: openStorage(config),
    fetch: createGuardedFetch(config.privateHosts),
  };
}
