import { randomUUID } from "node:crypto";

// Input made from JSON schemas: valid as far as a schema says, and then broken in one place

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Schema = {
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: Schema;
  additionalProperties?: Schema | boolean;
};
export type Random = () => number;

/** Values seen in replies, by the name of their field: `id`, `slug`, `version`. */
export type SeenValues = Map<string, Set<string | number>>;
const MAX_SEEN = 200;

/** Remembers the ids, slugs, versions and other short values of a reply. */
export function rememberValues(seen: SeenValues, value: unknown, name = "", most = MAX_SEEN) {
  if (Array.isArray(value)) for (const one of value) rememberValues(seen, one, name, most);
  else if (value !== null && typeof value === "object")
    for (const [key, one] of Object.entries(value)) rememberValues(seen, one, key, most);
  else if ((typeof value === "string" && value.length <= 120) || typeof value === "number") {
    const known = seen.get(name) ?? new Set();
    if (known.size < most) seen.set(name, known.add(value));
  }
}

export const pick = <T>(random: Random, list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
const isId = (value: string | number) => /^[0-9a-f-]{36}$/.test(String(value));

/** Ids of any kind that were seen: for a field of ids, half of them belong to the right table. */
export const seenIds = (seen: SeenValues) => [
  ...new Set([...seen.values()].flatMap((values) => [...values].filter(isId))),
];

/** A value for a schema; `name` is that of its field, so that values seen under this name are used. */
export function makeValue(random: Random, seen: SeenValues, schema: Schema, name = ""): Json {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pick(random, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return makeValue(random, seen, pick(random, choices), name);
  if (schema.allOf) return makeValue(random, seen, Object.assign({}, ...schema.allOf) as Schema, name);
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type;
  switch (type) {
    case "object":
      return makeObject(random, seen, schema);
    case "array": {
      const size = Math.min(schema.maxItems ?? 3, Math.max(schema.minItems ?? 0, Math.floor(random() * 3)));
      return Array.from({ length: size }, () => makeValue(random, seen, schema.items ?? {}, name));
    }
    case "integer":
    case "number":
      return makeNumber(random, seen, schema, name);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    case "string":
      return makeText(random, seen, schema, name);
    default:
      return pick<Json>(random, ["text", 1, true, null, {}, []]);
  }
}

function makeObject(random: Random, seen: SeenValues, schema: Schema) {
  const made: { [key: string]: Json } = {};
  for (const [key, property] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(key) || random() < 0.6) made[key] = makeValue(random, seen, property, key);
  if (typeof schema.additionalProperties === "object" && Object.keys(schema.additionalProperties).length > 0)
    for (let n = 0; n < random() * 3; n++)
      made[String(makeValue(random, seen, schema.propertyNames ?? { type: "string" }, "key"))] = makeValue(
        random,
        seen,
        schema.additionalProperties,
        "",
      );
  return made;
}

function makeNumber(random: Random, seen: SeenValues, { minimum, maximum, exclusiveMinimum }: Schema, name: string) {
  const known = [...(seen.get(name) ?? [])].filter((value) => typeof value === "number");
  if (known.length > 0 && random() < 0.9) return pick(random, known);
  const low = minimum ?? exclusiveMinimum ?? 0;
  const high = Math.min(maximum ?? low + 100, low + 1e6);
  return pick(random, [low, high, Math.floor(low + random() * (high - low))]);
}

const DATES = ["2030-01-01", "2020-02-29", "0001-01-01", "9999-12-31"];
function makeText(random: Random, seen: SeenValues, { format, minLength = 0, maxLength = 200 }: Schema, name: string) {
  const known = [...(seen.get(name) ?? [])].map(String);
  if (format === "uuid") {
    const ids = [...known.filter(isId), ...seenIds(seen)];
    return ids.length > 0 && random() < 0.95
      ? pick(random, random() < 0.9 && known.some(isId) ? known.filter(isId) : ids)
      : randomUUID();
  }
  if (known.length > 0 && random() < 0.85) return pick(random, known);
  if (format === "email") return `${pick(random, ["a", "ü", "x.y+z"])}${Math.floor(random() * 1e6)}@example.com`;
  if (format === "date") return pick(random, DATES);
  if (format === "date-time")
    return `${pick(random, DATES)}T${pick(random, ["00:00:00Z", "23:59:59.999Z", "12:00:00+14:00"])}`;
  if (format === "uri") return pick(random, ["http://127.0.0.1:1/", "https://nobody.invalid/x"]);
  const text = pick(random, [
    "",
    "Ada",
    "10",
    "Zoë Ångström",
    "UTC",
    "2030-01-01T10:00",
    "a".repeat(Math.min(maxLength, 500)),
  ]);
  return text.padEnd(minLength, "x").slice(0, maxLength);
}

const DEEP = 3000;
const deep = (): Json => {
  let value: Json = "end";
  for (let n = 0; n < DEEP; n++) value = n % 2 ? [value] : { a: value };
  return value;
};
/** What breaks programs: wrong types, limits of numbers, dates that no calendar has, texts that no database stores. */
const HOSTILE: readonly (() => Json)[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  "",
  " ",
  "0",
  "-1",
  "1e999",
  "NaN",
  "null",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u0000",
  "👩‍👩‍👧‍👦".repeat(20),
  "é".repeat(5000),
  "İıſK",
  "\ufeff",
  "١٢٣",
  "' or 1=1 --",
  "%",
  "_",
  "\\",
  "%00",
  "%ff",
  "../../../etc/passwd",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "${1}",
  "0000-00-00",
  "2024-02-30",
  "9999-12-31T23:59:59-14:00",
  "-000001-01-01",
  "+275760-09-13T00:00:00Z",
  "infinity",
  "10000-01-01",
  "00000000-0000-0000-0000-000000000000",
  "x@",
  "@x.y",
  "javascript:alert(1)",
  "//host",
  "data:,x",
  "toString",
  "__proto__",
  "constructor",
  "Etc/GMT+99",
  "file:///etc/passwd",
  "http://[::1]:1/",
  "[object Object]",
].map((value) => () => value as Json);
const HOSTILE_LARGE: readonly (() => Json)[] = [
  () => [],
  () => ({}),
  () => "a".repeat(50_000),
  () => "😀".repeat(12_000),
  () => Array.from({ length: 5000 }, (_, n) => n),
  () => Array.from({ length: 900 }, () => randomUUID()),
  () => Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`k${n}`, n])),
  () =>
    JSON.parse('{"__proto__":{"role":"admin"},"constructor":{"prototype":{"a":1}},"toString":1,"length":-1}') as Json,
  deep,
];

/** A hostile value: mostly a small one. */
export const makeHostile = (random: Random): Json => pick(random, random() < 0.8 ? HOSTILE : HOSTILE_LARGE)();

/** The same value with one to three places, at any depth, replaced, removed or added to. */
export function breakValue(random: Random, value: Json): Json {
  let broken = structuredClone(value);
  for (let n = 0; n < 1 + random() * 2; n++) {
    const places = listPlaces(broken);
    if (places.length === 0 || random() < 0.05) {
      broken = makeHostile(random);
      continue;
    }
    const { parent, key } = pick(random, places);
    const what = random();
    if (what < 0.1 && !Array.isArray(parent)) delete parent[key];
    else if (what < 0.2) parent[`${key}_unknown`] = makeHostile(random);
    else if (what < 0.25 && parent[key] !== undefined) parent[key] = [parent[key]];
    else parent[key] = makeHostile(random);
  }
  return broken;
}

type Place = { parent: { [key: string]: Json }; key: string };
const MAX_PLACES = 500;
function listPlaces(value: Json): Place[] {
  const places: Place[] = [];
  const pending: Json[] = [value];
  for (let one = pending.pop(); one !== undefined && places.length < MAX_PLACES; one = pending.pop()) {
    if (one === null || typeof one !== "object") continue;
    const parent = one as { [key: string]: Json };
    for (const key of Object.keys(parent)) {
      places.push({ parent, key });
      pending.push(parent[key] as Json);
    }
  }
  return places;
}

const schemasIn = (schema: Schema): Schema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
  ...(schema.items ? [schema.items] : []),
];
export const holdsId = (schema: Schema): boolean => schema.format === "uuid" || schemasIn(schema).some(holdsId);
/** The same schema, but every field that holds an id is required, and lists are not empty. */
export function withIds(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {});
  return {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(properties.map(([name, one]) => [name, withIds(one)])),
      required: [...(schema.required ?? []), ...properties.filter(([, one]) => holdsId(one)).map(([name]) => name)],
    }),
    ...(schema.items && { items: withIds(schema.items), minItems: Math.max(1, schema.minItems ?? 0) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(withIds) }),
  };
}
