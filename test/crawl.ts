import { z } from "zod";
import type { Operation } from "#test/operations.ts";
import { sendTo } from "#test/operations.ts";
import { rememberValues, type Schema, type SeenValues } from "#test/schemaInput.ts";

// Reading everything that people may read, by following every id that an answer contains

type Reader = { token: string };
export const isGet = ({ method }: Operation) => method === "GET";
/** Everything that people see: values by the domain and field in which they were found. */
type Crawl = { seen: SeenValues; requests: number; answered: Set<string>; wrong: unknown[] };
/** An id; keys that are hashes in the form of one are none. */
export const isId = (value: string | number) => z.uuid().safeParse(String(value)).success;
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

/** `onAnswer` gets every answer with status 200. */
export function createCrawler(origin: string, operations: Operation[]) {
  const call = (person: Reader, method: string, url: string, body?: unknown) =>
    sendTo(
      origin,
      { method, url, type: "application/json", body: body === undefined ? undefined : JSON.stringify(body) },
      { authorization: `Bearer ${person.token}` },
    );

  /** Requests every GET operation, and again with every value found, until nothing new is found. */
  async function crawl(people: Reader[], onAnswer = (_url: string, _text: string) => {}): Promise<Crawl> {
    const found: Crawl = { seen: new Map(), requests: 0, answered: new Set(), wrong: [] };
    for (const person of people) {
      const done = new Set<string>();
      for (let before = -1; before !== done.size;) {
        before = done.size;
        for (const operation of operations.filter(isGet))
          for (const url of urlsOf(operation, found.seen)) {
            if (done.has(url)) continue;
            done.add(url);
            const { status, text } = await call(person, "GET", url);
            found.requests++;
            if (status === 0 || status > 499) found.wrong.push([operation.name, url, status]);
            if (status === 200) onAnswer(url, text);
            if (status !== 200 || !/^[[{]/.test(text)) continue;
            found.answered.add(operation.name);
            rememberValues(found.seen, JSON.parse(text) as unknown, "", Infinity);
          }
      }
    }
    return found;
  }
  return { call, crawl };
}
