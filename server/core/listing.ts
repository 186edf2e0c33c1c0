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

type FieldOf<Sort extends string> = Sort extends `-${string}` ? never : Sort;

/**
 * SQL order for `field` or, descending, `-field`; nulls last in both cases. `fields` has every field that the contract allows
 * (`sortBy`). An unknown field falls back to the first one.
 */
export function orderBy<Sort extends string>(sort: Sort, fields: Record<FieldOf<Sort>, RawBuilder<unknown>>) {
  const descending = sort.startsWith("-");
  const field =
    (fields as Partial<Record<string, RawBuilder<unknown>>>)[descending ? sort.slice(1) : sort] ??
    (Object.values(fields)[0] as RawBuilder<unknown>);
  return sql`${field} ${sql.raw(descending ? "desc" : "asc")} nulls last`;
}
