import type { RawBuilder } from "kysely";
import type { Fate } from "#shared/privacy/privacy.ts";

/** The person whose data is exported or erased. */
export type Person = { id: string; email: string };

/**
 * A category of personal data in one table, and what an erasure does to it. Entries are processed in order; the
 * identity comes last. `server/privacy/registry.test.ts` fails if a table with personal data is missing.
 */
export type Entry = {
  key: string;
  table: string;
  /** Description shown to the person: "Emails sent to you". */
  what: string;
  fate: Fate;
  why: string;
  /** SQL condition for the person's rows; column names as in the database. */
  where: (person: Person) => RawBuilder<boolean>;
  /**
   * Columns to overwrite, with their new values, if the rows are kept. Without it, rows with fate `delete` are deleted.
   */
  set?: Record<string, RawBuilder<unknown>>;
  /** Last day of retention, as an SQL date. */
  until?: RawBuilder<string>;
};

/**
 * A section of the export: rows of one table. Every column is exported, those added later too, except the ones that
 * `omit` names with the reason; `only` is for tables in which the person is merely mentioned. `keys` order and page the
 * rows.
 */
export type Section = {
  key: string;
  purpose: string;
  basis: string;
  retention: string;
  table: string;
  /** Joins for `extra` and `where`. */
  joins?: string;
  /** Further select expressions, such as the title of a course in place of its id alone. */
  extra?: string;
  omit?: Record<string, string>;
  only?: string[];
  keys: string[];
  where: (person: Person) => RawBuilder<boolean>;
};
