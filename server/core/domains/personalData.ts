import { type RawBuilder, sql } from "kysely";
import type { Fate } from "#shared/privacy/privacy.ts";

// What a domain knows about people: the rows that an erasure changes, and the rows that an export contains

/** The person whose data is exported or erased. */
export type Person = { id: string; email: string | null };

/**
 * A category of personal data in one table, and what an erasure does to it. An erasure processes the entries of a
 * domain in their order, and the domains in that of `server/domains.ts`.
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
  /** Rows that an admin who exports the data of somebody else does not get. */
  onlyForSelf?: RawBuilder<boolean>;
};

/** All personal data of a domain; `server/privacy/registry.test.ts` fails if a column is missing. */
export type PersonalData = { entries?: Entry[]; sections?: Section[] };

export const nullValue = sql`null`;
export const emptyText = sql`''`;
export const ONLY_FOR_ACCOUNT = "Only needed for your account";

/**
 * True if a column contains the person's email address and they have verified it; an unverified address may belong to
 * someone else.
 */
export const addressedTo = (column: string, { id }: Person) =>
  sql<boolean>`lower(${sql.ref(column)}) = (
    select lower(users.email)
    from users
    where users.id = ${id} and users.email_verified
  )`;

/** Rows that only the account needs: an erasure deletes them. */
export const deleted = (key: string, table: string, what: string, where: Entry["where"]): Entry => ({
  key,
  table,
  what,
  fate: "delete",
  why: ONLY_FOR_ACCOUNT,
  where,
});

// What sections of the export have in common: reasons to omit a column, legal bases, and periods

export const SECRET = "a secret, or derived from one";
export const SAME_PERSON = "the person of the export";
export const OTHER_PERSON = "another person";
export const COUNTER = "a counter for concurrent changes";
export const contract = "Contract (GDPR Art. 6(1)(b))";
export const interest = "Legitimate interest (GDPR Art. 6(1)(f))";
export const training = "Contract, or the employer's interest in training (GDPR Art. 6(1)(b), (f))";
export const untilErased = "Until the data is deleted";
export const ownedBy =
  (column: string) =>
  ({ id }: Person) =>
    sql<boolean>`${sql.ref(column)} = ${id}`;
