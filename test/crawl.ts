import { z } from "zod";
import type { Operation } from "#test/operations.ts";
import { sendTo } from "#test/operations.ts";
import { isLong, sampled } from "#test/long.ts";
import { rememberValues, type Schema, type SeenValues } from "#test/schemaInput.ts";

// Reading everything that people may read, by following every id that an answer contains

type Reader = { token: string };
export const isGet = ({ method }: Operation) => method === "GET";
/** Everything that people see: values by the domain and field in which they were found. */
type Crawl = { seen: SeenValues; requests: number; answered: Set<string>; wrong: unknown[] };
const uuid = z.uuid();
/** An id; keys that are hashes in the form of one are none. */
export const isId = (value: string | number) => String(value).length === 36 && uuid.safeParse(value).success;
export const valuesOf = (seen: SeenValues) => [...new Set([...seen.values()].flatMap((values) => [...values]))];
export const idsOf = (seen: SeenValues) => valuesOf(seen).filter(isId).map(String);

/** The addresses of an operation with each value seen in place of its parameters. */
export function urlsOf({ path, parameters }: Operation, seen: SeenValues): string[] {
  const [first, second] = parameters.filter(({ in: where }) => where === "path");
  if (!first) return [path];
  const valuesFor = ({ name, schema }: { name: string; schema: Schema }) =>
    schema.format === "uuid" ? idsOf(seen) : [...(seen.get(name) ?? [])].map(String);
  return valuesFor(first).flatMap((one) => {
    const url = path.replace(`{${first.name}}`, encodeURIComponent(one));
    return second
      ? valuesFor(second)
          .slice(0, 20)
          .map((other) => url.replace(`{${second.name}}`, encodeURIComponent(other)))
      : [url];
  });
}

/** A path up to its first parameter, such as `/api/courses/{id}`. */
const rootOf = (path: string) => /^[^{]*\{[^}]*\}/.exec(path)?.[0] ?? path;
/** The part of an address that fills the root of its path. */
const rootIn = (url: string, path: string) => url.split("/").slice(0, rootOf(path).split("/").length).join("/");
/** Whether an answer has a value: some answer every id with 200, and say that there is nothing. */
const saysAnything = (value: unknown): boolean =>
  value && typeof value === "object"
    ? Object.values(value).some(saysAnything)
    : value !== null && value !== 0 && value !== false;
/** For each operation, so many addresses are requested although nothing was found there. */
const UNFOUND = 2;

/** Requests that wait for their answers at the same time. */
const AT_ONCE = 4;
/** Requests that were refused with 401 renew a session not more often than this. */
const RENEWED_MS = 60_000;

/** Calls `visit` for every item, for some of them at the same time. */
export async function visitAll<T>(items: readonly T[], visit: (item: T) => Promise<void>) {
  let next = 0;
  const work = async () => {
    while (next < items.length) await visit(items[next++] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** `renew` gives a person a new session: the first one ends while an overloaded machine crawls. */
export function createCrawler<R extends Reader>(
  origin: string,
  operations: Operation[],
  renew?: (person: R) => Promise<unknown>,
) {
  const renewals = new Map<R, { at: number; done: Promise<unknown> }>();
  const call = async (person: R, method: string, url: string, body?: unknown) => {
    const send = () =>
      sendTo(
        origin,
        { method, url, type: "application/json", body: body === undefined ? undefined : JSON.stringify(body) },
        { authorization: `Bearer ${person.token}` },
      );
    const answer = await send();
    if (answer.status !== 401 || !renew) return answer;
    const last = renewals.get(person);
    const isFresh = last && performance.now() - last.at < RENEWED_MS;
    const renewal = isFresh ? last : { at: performance.now(), done: renew(person) };
    renewals.set(person, renewal);
    await renewal.done;
    return send();
  };

  const gets = operations.filter(isGet);
  const paths = new Set(gets.map(({ path }) => path));

  /**
   * Requests every GET operation, and again with every value found, until nothing new is found. `onAnswer` gets every
   * answer with status 200. People request what they have seen themselves. What lies below a thing
   * (`/api/courses/{id}/parts`) is requested for the things that were found, and for a sample of other ids. In
   * `npm run test:long` everything is requested for every id that anyone has seen.
   */
  async function crawl(people: R[], onAnswer = (_url: string, _text: string) => {}): Promise<Crawl> {
    const found: Crawl = { seen: new Map(), requests: 0, answered: new Set(), wrong: [] };
    const things = new Set<string>();
    const select = ({ name, path }: Operation, urls: string[]) => {
      if (isLong || rootOf(path) === path || !paths.has(rootOf(path))) return urls;
      const isFound = (url: string) => things.has(rootIn(url, path));
      return [
        ...urls.filter(isFound),
        ...sampled(
          name,
          urls.filter((url) => !isFound(url)),
          UNFOUND,
        ),
      ];
    };
    for (const person of people) {
      const done = new Set<string>();
      const own: SeenValues = isLong ? found.seen : new Map();
      for (let before = -1; before !== done.size;) {
        before = done.size;
        for (const operation of gets) {
          const urls = select(operation, urlsOf(operation, own)).filter((url) => !done.has(url));
          for (const url of urls) done.add(url);
          await visitAll(urls, async (url) => {
            const { status, text } = await call(person, "GET", url);
            found.requests++;
            if (status === 0 || status > 499) found.wrong.push([operation.name, url, status]);
            if (status !== 200) return;
            onAnswer(url, text);
            const isJson = /^[[{]/.test(text);
            const answer: unknown = isJson ? JSON.parse(text) : text;
            if (saysAnything(answer)) things.add(rootIn(url, operation.path));
            if (!isJson) return;
            found.answered.add(operation.name);
            for (const seen of new Set([own, found.seen])) rememberValues(seen, answer, "", Infinity);
          });
        }
      }
    }
    return found;
  }
  return { call, crawl };
}
