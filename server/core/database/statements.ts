import { LRUCache } from "lru-cache";
import pg from "pg";

// Named statements: PostgreSQL parses them once per connection, and replans them only where the values matter.

/**
 * A connection keeps a named statement until it is closed, so their number is bounded; statements beyond it stay
 * unnamed.
 */
const MAX_NAMED = 300;
/** A statement gets its name at this use, so that statements that occur once do not take the names of frequent ones. */
const NAMED_AT_USE = 3;
/** Texts whose uses are counted. */
const MAX_COUNTED = 2000;
/** Statements with more parameters are lists of values, and their text changes with the length of the list. */
const MAX_PARAMETERS = 40;

const names = new Map<string, string>();
const uses = new LRUCache<string, number>({ max: MAX_COUNTED });
let named = 0;

/** Statements that can be prepared. Not those that search: their best plan depends on the text that is searched for. */
const isNameable = (text: string) =>
  /^\s*[(]?\s*(select|with|insert|update|delete)\b/i.test(text) && !/like\b/i.test(text);

/** The name of a statement, or undefined if it is sent without one. The same text always has the same name. */
function nameOf(text: string, parameters: number): string | undefined {
  const name = names.get(text);
  if (name !== undefined) return name;
  if (names.size >= MAX_NAMED || parameters > MAX_PARAMETERS) return undefined;
  const count = (uses.get(text) ?? 0) + 1;
  uses.set(text, count);
  if (count < NAMED_AT_USE || !isNameable(text)) return undefined;
  uses.delete(text);
  return rename(text);
}

function rename(text: string) {
  const name = `lyceum_${++named}`;
  names.set(text, name);
  return name;
}

/** A named statement whose columns have changed since, by a migration that another node ran (SQLSTATE 0A000). */
const isOutdated = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === "0A000" && /cached plan/.test(error.message);

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

/** A connection that names statements that are given as text with values. Used for every pool. */
export class NamingClient extends pg.Client {}

const sendQuery = pg.Client.prototype.query as unknown as Query;
NamingClient.prototype.query = function (this: NamingClient, ...args: unknown[]) {
  const [text, values, callback] = args;
  if (typeof text !== "string" || !Array.isArray(values)) return sendQuery.apply(this, args);
  const name = nameOf(text, values.length);
  if (name === undefined) return sendQuery.apply(this, args);
  const result = (sendQuery.call(this, { name, text, values }) as Promise<unknown>).catch(async (error: unknown) => {
    if (!isOutdated(error)) throw error;
    if (names.get(text) === name) rename(text);
    // Within a transaction, PostgreSQL refuses the second try too; the caller gets the first error.
    return (sendQuery.call(this, text, values) as Promise<unknown>).catch(() => {
      throw error;
    });
  });
  if (callback === undefined) return result;
  result.then(
    (reply) => (callback as Callback)(null, reply),
    (error: unknown) => (callback as Callback)(error),
  );
} as Query as never;
