import { sql } from "kysely";
import type { Entry } from "#server/privacy/registryEntry.ts";

/** A reference to the person as author of a row that belongs to others: the reference is removed, the row stays. */
export const authored = (table: string, column: string, what: string): Entry => ({
  key: `${table}.${column}`,
  table,
  what,
  fate: "anonymise",
  why: "Belongs to the company or academy; only your name as author is removed",
  where: ({ id }) => sql`${sql.ref(column)} = ${id}`,
  set: { [column]: sql`null` },
});
