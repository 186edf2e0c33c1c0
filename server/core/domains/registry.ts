import { sql } from "kysely";
import type { Domain } from "#server/core/domains/domain.ts";
import { type Entry, nullValue, type Section } from "#server/core/domains/personalData.ts";

/** What an erasure and an export do, from the declarations of all domains. */
export type PersonalDataRegistry = { entries: Entry[]; sections: Section[]; steps: NonNullable<Domain["erasure"]>[] };

/**
 * Entries are in the order of an erasure: a domain comes before those that it uses, because its rows are found by
 * theirs, and the identity of the person comes last.
 */
export function readRegistry(domains: readonly Domain[]): PersonalDataRegistry {
  const sorted = sortByUse(domains);
  const entries = sorted.flatMap((domain) => [...(domain.personalData?.entries ?? []), ...listAuthors(domain)]);
  const ofOthers = entries.filter(({ table }) => table !== "users");
  // The rows of people whom this person invited refer to the person's own row, which is deleted last.
  const [identity, references] = [true, false].map((isDeleted) =>
    entries.filter(({ table, fate }) => table === "users" && (fate === "delete") === isDeleted),
  );
  return {
    entries: [...ofOthers, ...(references ?? []), ...(identity ?? [])],
    sections: domains.flatMap(({ personalData }) => personalData?.sections ?? []),
    steps: sorted.flatMap(({ erasure }) => (erasure ? [erasure] : [])),
  };
}

/** Every domain after those that use it. */
function sortByUse(domains: readonly Domain[]) {
  const sorted: Domain[] = [];
  const add = (domain: Domain) => {
    if (sorted.includes(domain)) return;
    for (const user of domains) if (user.uses?.includes(domain.name)) add(user);
    sorted.push(domain);
  };
  for (const domain of domains) add(domain);
  return sorted;
}

const listAuthors = ({ tables = {} }: Domain) =>
  Object.entries(tables).flatMap(([table, { authors = {} }]) =>
    Object.entries(authors).map(([column, what]) => authored(table, column, what)),
  );

/** A reference to the author of a row that belongs to others: an erasure removes the reference, and the row stays. */
const authored = (table: string, column: string, what: string): Entry => ({
  key: `${table}.${column}`,
  table,
  what,
  fate: "anonymise",
  why: "Belongs to the company or academy; only your name as author is removed",
  where: ({ id }) => sql`${sql.ref(column)} = ${id}`,
  set: { [column]: nullValue },
});
