import type pg from "pg";
import type { Config } from "#server/core/config.ts";
import type { Db } from "#server/core/db.ts";
import type { Log } from "#server/core/log.ts";
import type { Connection } from "#server/core/db.ts";
import type { GuardedFetch } from "#server/core/outgoing/guardedFetch.ts";
import type { Storage } from "#server/core/storage.ts";

/** Shared by the whole server. Tests create the same object on an empty database. */
export type Services = {
  config: Config;
  db: Db;
  pool: pg.Pool;
  connection: Connection;
  log: Log;
  storage: Storage;
  /** Outgoing requests; the global `fetch` is not used. */
  fetch: GuardedFetch;
};
