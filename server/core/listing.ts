import { type RawBuilder, sql } from "kysely";

const escapePattern = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** What may stand before a word inside a name, a code or an email address. */
const WORD_SEPARATORS = [" ", "-", ".", "@"];

/** The words of a search text, at most 8. */
export const splitWords = (text: string) => text.split(/\s+/).filter(Boolean).slice(0, 8);

/** SQL condition: every word of `text` (the first 8) occurs in one of the columns, ignoring case; `%` and `_` have no special meaning. */
export function searchFor(text: string, columns: string[]) {
  const words = splitWords(text);
  const matches = (word: string) => {
    const pattern = `%${escapePattern(word)}%`;
    return sql`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
      sql` or `,
    )})`;
  };
  return sql<boolean>`(${sql.join(words.map(matches), sql` and `)})`;
}

/**
 * SQL condition: a word in one of the columns begins with `word`, ignoring case. Unlike `searchFor` it can use an index for one or
 * two characters, which almost every row contains somewhere.
 */
export function wordStartsWith(word: string, columns: string[]) {
  const start = `${escapePattern(word)}%`;
  const patterns = [start, ...WORD_SEPARATORS.map((separator) => `%${separator}${start}`)];
  return sql<boolean>`(${sql.join(
    columns.flatMap((column) => patterns.map((pattern) => sql`${sql.ref(column)} ilike ${pattern}`)),
    sql` or `,
  )})`;
}

/**
 * SQL order for a search: first rows of which a column is the whole text, then those where one begins with it, then those where
 * a word does, then those that contain it as typed, then those that only contain its words. Ignores case.
 */
export function bestMatchFirst(text: string, columns: string[]) {
  const phrase = escapePattern(text.trim().replace(/\s+/g, " "));
  const anyLike = (...patterns: string[]) =>
    sql`(${sql.join(
      columns.map((column) => sql`coalesce(${sql.ref(column)} ilike any(${patterns}::text[]), false)`),
      sql` or `,
    )})`;
  const wordStarts = WORD_SEPARATORS.map((separator) => `%${separator}${phrase}%`);
  return sql<number>`case when ${anyLike(phrase)} then 0 when ${anyLike(`${phrase}%`)} then 1
    when ${anyLike(...wordStarts)} then 2 when ${anyLike(`%${phrase}%`)} then 3 else 4 end`;
}

type FieldOf<Sort extends string> = Sort extends `-${string}` ? never : Sort;

type Match = { text: string | undefined; columns: string[] };

/**
 * SQL order for `field` or, descending, `-field`; nulls last in both cases. `fields` has every field that the contract allows
 * (`sortBy`). An unknown field falls back to the first one, the default of the list; in that order a search puts its best
 * matches first.
 */
export function orderBy<Sort extends string>(
  sort: Sort,
  fields: Record<FieldOf<Sort>, RawBuilder<unknown>>,
  match?: Match,
) {
  const descending = sort.startsWith("-");
  const first = Object.values(fields)[0] as RawBuilder<unknown>;
  const field = (fields as Partial<Record<string, RawBuilder<unknown>>>)[descending ? sort.slice(1) : sort] ?? first;
  const order = sql`${field} ${sql.raw(descending ? "desc" : "asc")} nulls last`;
  return match?.text && field === first && !descending
    ? sql`${bestMatchFirst(match.text, match.columns)}, ${order}`
    : order;
}
