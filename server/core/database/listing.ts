import { type RawBuilder, sql } from "kysely";

const escapePattern = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/** The most words of a search; further ones are ignored. */
const MAX_WORDS = 8;
/** What separates words within a name, a code or an email address. */
const WORD_SEPARATORS = [" ", "-", ".", "@"];

/** The words of a search text, at most 8. */
export const splitWords = (text: string) => text.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);

/**
 * The column that refers to rows of another table and, for every word of a search, the ids of those that contain it.
 */
export type FoundElsewhere = { column: string; ids: string[][] };

/**
 * Looks up rows of another table for `searchFor`. Given as ids, PostgreSQL knows how many there are, and uses the index
 * for few and the table for many.
 */
export const findElsewhere = async (
  text: string,
  columns: string[],
  find: (word: string) => { execute(): Promise<{ id: string }[]> },
): Promise<FoundElsewhere[]> => {
  const ids = await Promise.all(splitWords(text).map(async (word) => (await find(word).execute()).map(({ id }) => id)));
  return columns.map((column) => ({ column, ids }));
};

/**
 * SQL condition: every word of `text` (the first 8) occurs in one of the columns, ignoring case; `%` and `_` have no
 * special meaning. The columns are of one table and have trigram indexes; rows of other tables are in `elsewhere`.
 */
export function searchFor(text: string, columns: (string | RawBuilder<unknown>)[], elsewhere: FoundElsewhere[] = []) {
  const matches = (word: string, at: number) => {
    const pattern = `%${escapePattern(word)}%`;
    return sql`(${sql.join(
      [
        ...columns.map((column) => sql`${typeof column === "string" ? sql.ref(column) : column} ilike ${pattern}`),
        ...elsewhere.map(({ column, ids }) => isOneOf(column, ids[at] ?? [])),
      ],
      sql` or `,
    )})`;
  };
  return sql<boolean>`(${sql.join(splitWords(text).map(matches), sql` and `)})`;
}

/**
 * SQL condition: a word in one of the columns begins with `word`, ignoring case. Unlike `searchFor` it can use an index
 * for one or two characters, which almost every row contains somewhere.
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
 * SQL order for a search: first rows of which a column is the whole text, then those where one begins with it, then
 * those where a word does, then those that contain it as typed, then those that only contain its words. Ignores case.
 */
export function bestMatchFirst(text: string, columns: string[]) {
  const phrase = escapePattern(text.trim().replace(/\s+/g, " "));
  const anyLike = (...patterns: string[]) =>
    sql`(${sql.join(
      columns.map((column) => sql`coalesce(${sql.ref(column)} ilike any(${patterns}::text[]), false)`),
      sql` or `,
    )})`;
  const wordStarts = WORD_SEPARATORS.map((separator) => `%${separator}${phrase}%`);
  return sql<number>`case
    when ${anyLike(phrase)} then 0
    when ${anyLike(`${phrase}%`)} then 1
    when ${anyLike(...wordStarts)} then 2
    when ${anyLike(`%${phrase}%`)} then 3
    else 4
  end`;
}

/**
 * A column or expression that a list is sorted by. `notNull` if it is never null, so that its index can be read in both
 * directions.
 */
type SortField = RawBuilder<unknown> | { notNull: RawBuilder<unknown> };

type FieldOf<Sort extends string> = Sort extends `-${string}` ? never : Sort;

type Match = { text: string | undefined; columns: string[] };

/**
 * SQL order for `field` or, descending, `-field`; nulls last in both cases. `fields` has every field that the contract
 * allows (`sortBy`). An unknown field falls back to the first one, the default of the list. In the default order, the
 * best matches of a search come first.
 */
export function orderBy<Sort extends string>(sort: Sort, fields: Record<FieldOf<Sort>, SortField>, match?: Match) {
  const descending = sort.startsWith("-");
  const first = Object.values(fields)[0] as SortField;
  const field = (fields as Partial<Record<string, SortField>>)[descending ? sort.slice(1) : sort] ?? first;
  const direction = sql.raw(descending ? "desc" : "asc");
  const order = "notNull" in field ? sql`${field.notNull} ${direction}` : sql`${field} ${direction} nulls last`;
  return match?.text && field === first && !descending
    ? sql`${bestMatchFirst(match.text, match.columns)}, ${order}`
    : order;
}

/** Rows of a long list are counted up to this number: counting millions of them would take longer than the page. */
export const MAX_COUNTED = 10_000;
/** What a list says of a count that stops at `MAX_COUNTED + 1`. `isMore`: there are more rows than `total`. */
export const upToMax = (counted: number) => ({
  total: Math.min(counted, MAX_COUNTED),
  isMore: counted > MAX_COUNTED,
});

type PageOfIds = {
  limit(count: number): { offset(count: number): { execute(): Promise<{ id: string; total?: number }[]> } };
};
type Listing<Row> = {
  /**
   * The sorted ids of all rows of the list; joins only tables that the list is filtered and sorted by. With `total`,
   * the number of all rows, for orders that read all rows anyway, which saves the query that counts them.
   */
  ids: PageOfIds;
  /** The number of all rows of the list, counted over as few tables as possible. */
  total: { executeTakeFirstOrThrow(): Promise<{ total: number }> };
  /** The rows of these ids, in any order, with everything that the list shows. */
  rows: (ids: string[]) => Promise<Row[]>;
};

/**
 * One page of a list: first the ids of the page, from an index, then the content of these rows alone. Otherwise
 * everything would be joined for all rows of the list to show 25 of them. Rows are counted only if the page may not be
 * the last one.
 */
export async function readPage<Row extends { id: string }>(
  { page, size }: { page: number; size: number },
  { ids, total, rows }: Listing<Row>,
): Promise<{ items: Row[]; total: number }> {
  const before = (page - 1) * size;
  const ofPage = await ids.limit(size).offset(before).execute();
  const pageIds = ofPage.map(({ id }) => id);
  const isLast = pageIds.length < size && (pageIds.length > 0 || page === 1);
  const [items, count] = await Promise.all([
    pageIds.length > 0 ? rows(pageIds) : [],
    isLast ? before + pageIds.length : (ofPage[0]?.total ?? total.executeTakeFirstOrThrow().then((row) => row.total)),
  ]);
  const byId = new Map(items.map((row) => [row.id, row]));
  return { items: pageIds.flatMap((id) => byId.get(id) ?? []), total: count };
}

/**
 * SQL condition: the column is one of these ids; false for an empty list. One parameter for any number of ids, so that
 * the text of the statement, and thereby its name, stays the same (statements.ts).
 */
export const isOneOf = (column: string, ids: string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`;

/**
 * One page of rows, read by `read(limit, offset)`; each row has the number of all rows as `total`. A page after the
 * last one has no row, so the total is read with the first row of the list.
 */
export async function readCounted<R extends { total: number }>(
  { page, size }: { page: number; size: number },
  read: (limit: number, offset: number) => Promise<{ rows: R[] }>,
): Promise<{ items: R[]; total: number }> {
  const { rows } = await read(size, (page - 1) * size);
  const counted = rows.length > 0 || page === 1 ? rows : (await read(1, 0)).rows;
  return { items: rows, total: counted[0]?.total ?? 0 };
}
