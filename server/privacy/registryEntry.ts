import type { RawBuilder } from "kysely";
import type { Fate } from "#shared/privacy.ts";

/** The person whose rows are meant. */
export type Person = { id: string; email: string };

/**
 * Rows of one kind in one table, and what becomes of them when their person is erased. Entries run in order; the identity
 * comes last. `server/privacy/registry.test.ts` fails when a table knows people and is not here.
 */
export type Entry = {
  key: string;
  table: string;
  /** In plain words, for the person: "Mails that were written to you". */
  what: string;
  fate: Fate;
  why: string;
  /** True for the rows of the person; column names as in the database. */
  where: (person: Person) => RawBuilder<boolean>;
  /** Columns that lose the person when rows stay, with what stands there afterwards. Without it rows of fate `delete` go. */
  set?: Record<string, RawBuilder<unknown>>;
  /** Last day of what is kept, as an SQL date. */
  until?: RawBuilder<string>;
};
