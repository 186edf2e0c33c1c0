import { type RawBuilder, sql } from "kysely";

/** SQL condition: every word of `text` (the first 8) occurs in one of the columns, ignoring case; `%` and `_` have no special meaning. */
export function searchFor(text: string, columns: string[]) {
  const words = text.split(/\s+/).filter(Boolean).slice(0, 8);
  const matches = (word: string) => {
    const pattern = `%${word.replace(/[\\%_]/g, "\\$&")}%`;
    return sql`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
      sql` or `,
    )})`;
  };
  return sql<boolean>`(${sql.join(words.map(matches), sql` and `)})`;
}

/** SQL order for `field` or, descending, `-field`; nulls last in both cases. An unknown field falls back to the first of `fields`. */
export function orderBy(sort: string, fields: Record<string, RawBuilder<unknown>>) {
  const descending = sort.startsWith("-");
  const field = fields[descending ? sort.slice(1) : sort] ?? (Object.values(fields)[0] as RawBuilder<unknown>);
  return sql`${field} ${sql.raw(descending ? "desc" : "asc")} nulls last`;
}
