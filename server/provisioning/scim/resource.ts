import {
  type Attribute,
  common,
  findAttribute,
  isIgnored,
  type ResourceType,
  type Schema,
} from "#server/provisioning/scim/attributes.ts";
import { invalidSyntax, invalidValue } from "#server/provisioning/scim/scimError.ts";

/** Bounds of what one resource may hold. */
export const MAX_TEXT = 1000;
export const MAX_VALUES = 50;
const MAX_KEYS = 200;

export type Entry = { [name: string]: string | boolean };
/** The value of an attribute as it is kept: a text, true or false, a complex value, or a list of those. */
export type Held = string | boolean | Entry | Entry[] | { [name: string]: string | boolean | Entry };
/** A resource with only known attributes, in the spelling of the schemas; extensions are under their URN. */
export type Resource = { [name: string]: Held };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of an object by lower case; refuses one with too many. */
export function membersOf(value: Record<string, unknown>): Map<string, unknown> {
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS) throw invalidSyntax(`An object must have at most ${MAX_KEYS} members.`);
  return new Map(keys.map((key) => [key.toLowerCase(), value[key]]));
}

/** Whether `schemas` of a body names one, in any case. */
const namesSchema = (schemas: unknown, id: string) =>
  Array.isArray(schemas) && schemas.some((one) => typeof one === "string" && one.toLowerCase() === id.toLowerCase());

/** The members of a body that names a schema, by lower case. */
export function readBody(body: unknown, schema: string): Map<string, unknown> {
  if (!isObject(body)) throw invalidSyntax("The body must be a JSON object.");
  const members = membersOf(body);
  if (!namesSchema(members.get("schemas"), schema)) throw invalidSyntax(`“schemas” must contain ${schema}.`);
  return members;
}

/** Reads a user or a group from a body: known attributes only, in any case. Null and empty lists are nothing. */
export function readResource(type: ResourceType, body: unknown): Resource {
  const members = readBody(body, type.core.id);
  const resource = readAttributes([...common, ...type.core.attributes], members);
  for (const { id, attributes } of type.extensions) {
    const extension = members.get(id.toLowerCase());
    if (extension === undefined || extension === null) continue;
    if (!isObject(extension)) throw invalidValue(`“${id}” must be an object.`);
    const read = readAttributes(attributes, membersOf(extension));
    if (Object.keys(read).length > 0) resource[id] = read as Held;
  }
  return resource;
}

/** Attributes that only this server sets are left out (RFC 7644, 3.3). */
function readAttributes(attributes: Attribute[], members: Map<string, unknown>): Resource {
  const resource: Resource = {};
  for (const [name, value] of members) {
    const attribute = isIgnored(name) ? undefined : findAttribute(attributes, name);
    if (!attribute || attribute.mutability === "readOnly") continue;
    const held = readValue(attribute, value);
    if (held !== null) resource[attribute.name] = held;
  }
  return resource;
}

/** Reads the value of an attribute; null if it says that there is none. */
export function readValue(attribute: Attribute, value: unknown): Held | null {
  if (value === null || value === undefined) return null;
  if (!attribute.multiValued) return readSingle(attribute, withoutList(attribute, value));
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_VALUES) throw invalidValue(`“${attribute.name}” must have at most ${MAX_VALUES} values.`);
  const entries = list.map((one) => readSingle(attribute, one) as Entry | null).filter((entry) => entry !== null);
  return entries.length === 0
    ? null
    : withOnePrimary(
        entries,
        entries.findIndex(({ primary }) => primary === true),
      );
}

/** One of the values at most is the preferred one (RFC 7643, 2.4). */
export const withOnePrimary = (entries: Entry[], at: number): Entry[] =>
  entries.map(({ primary, ...entry }, index) => ({
    ...entry,
    ...(index === at ? { primary: true } : primary === false && { primary }),
  }));

/** Directories send single values as lists with one element: `[true]`, `[{ "value": true }]`. */
function withoutList({ name }: Attribute, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (value.length > 1) throw invalidValue(`“${name}” must have a single value.`);
  return value[0] ?? null;
}

export function readSingle(attribute: Attribute, value: unknown): Exclude<Held, Entry[]> | null {
  const { name, type, subAttributes = [] } = attribute;
  if (value === null || value === undefined) return null;
  if (type === "complex") {
    const members = isObject(value) ? membersOf(value) : new Map([["value", value]]);
    if (!isObject(value) && !findAttribute(subAttributes, "value")) throw invalidValue(`“${name}” must be an object.`);
    const entry = readSubs(subAttributes, members);
    return Object.keys(entry).length === 0 ? null : entry;
  }
  const single = isObject(value) ? membersOf(value).get("value") : value;
  if (type === "boolean") return readBoolean(name, single);
  return readText(name, single);
}

function readSubs(subAttributes: Attribute[], members: Map<string, unknown>): Entry {
  const entry: Entry = {};
  for (const [key, value] of members) {
    const sub = findAttribute(subAttributes, key);
    if (!sub || (sub.mutability === "readOnly" && sub.name !== "display")) continue;
    const held = readSingle(sub, value);
    if (typeof held === "string" || typeof held === "boolean") entry[sub.name] = held;
  }
  return entry;
}

/** Entra sends "True" and "False" as texts. */
function readBoolean(name: string, value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === "true";
  if (value === null || value === undefined || value === "") return null;
  throw invalidValue(`“${name}” must be true or false.`);
}

function readText(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "string" && typeof value !== "number") throw invalidValue(`“${name}” must be a string.`);
  const text = String(value)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (text.length > MAX_TEXT) throw invalidValue(`“${name}” must have at most ${MAX_TEXT} characters.`);
  return text === "" ? null : text;
}

/** The value of an attribute, of the core or of an extension. */
export function heldIn(resource: Resource, urn: string | null, name: string): Held | undefined {
  const holder = urn === null ? resource : (resource[urn] as Resource | undefined);
  return holder && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

export function setHeld(resource: Resource, urn: string | null, name: string, value: Held | null) {
  if (urn !== null && !Object.hasOwn(resource, urn)) {
    if (value === null) return;
    resource[urn] = {};
  }
  const holder = urn === null ? resource : (resource[urn] as Resource);
  if (value === null) delete holder[name];
  else holder[name] = value;
  if (urn !== null && Object.keys(holder).length === 0) delete resource[urn];
}

/** The URNs of a resource: that of its kind, and those of the extensions that it has. */
export const schemasOf = (core: Schema, resource: Record<string, unknown>) => [
  core.id,
  ...Object.keys(resource).filter((key) => key.startsWith("urn:")),
];
