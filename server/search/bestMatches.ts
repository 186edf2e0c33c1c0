import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { searchFor, wordStartsWith } from "#server/core/database/listing.ts";
import { SEARCH_LIMIT } from "#shared/search/search.ts";

/** The best rows. One more than is shown is read, to find out whether there are more. */
export async function best<Database, Table extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, Table, Row>,
  ...order: RawBuilder<unknown>[]
) {
  const matches = await rows
    .orderBy(sql`${sql.join(order)}`)
    .limit(SEARCH_LIMIT + 1)
    .execute();
  return { items: matches.slice(0, SEARCH_LIMIT), more: matches.length > SEARCH_LIMIT };
}

export const PERSON = ["users.name", "users.email"];
/** Shorter words are searched only at the start of words: the trigram indexes have no shorter parts. */
const INDEXED_LENGTH = 3;
export const isPersons = (word: string) =>
  word.length < INDEXED_LENGTH ? wordStartsWith(word, PERSON) : searchFor(word, PERSON);
