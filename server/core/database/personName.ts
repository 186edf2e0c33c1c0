import { sql } from "kysely";

/** SQL: the name of a row of `users` (or of an alias of it), else the address; empty without both, or without a row. */
export const nameOf = (table = "users") =>
  sql<string>`coalesce(nullif(${sql.ref(`${table}.name`)}, ''), ${sql.ref(`${table}.email`)}, '')`;
