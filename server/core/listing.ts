import { type RawBuilder, sql } from "kysely";

/** The part of a query that every list understands (shared/route.ts, listQuery). */
export type Listing = { q?: string; page: number; size: number; sort?: string };

/** True where every word of `text` stands in one of the columns, in any case; `%` and `_` are plain characters. */
export function searchFor(text: string, columns: string[]) {
  const words = text.split(/\s+/).filter(Boolean).slice(0, 8);
  const one = (word: string) => {
    const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
    return sql`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
      sql` or `,
    )})`;
  };
  return sql<boolean>`(${sql.join(words.map(one), sql` and `)})`;
}

/** The order of `field` or `-field`; empty values come last either way. Unknown fields fall back to the first. */
export function orderBy(sort: string, fields: Record<string, RawBuilder<unknown>>) {
  const descending = sort.startsWith("-");
  const field = fields[descending ? sort.slice(1) : sort] ?? (Object.values(fields)[0] as RawBuilder<unknown>);
  return sql`${field} ${sql.raw(descending ? "desc" : "asc")} nulls last`;
}
