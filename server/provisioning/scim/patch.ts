import {
  type Address,
  type Attribute,
  findAddress,
  isIgnored,
  type ResourceType,
  splitUrn,
} from "#server/provisioning/scim/attributes.ts";
import { type Filter, MAX_FILTER_CHARS, meets, parseFilter } from "#server/provisioning/scim/filter.ts";
import {
  type Entry,
  type Held,
  heldIn,
  isObject,
  MAX_VALUES,
  membersOf,
  readBody,
  readSingle,
  readValue,
  type Resource,
  setHeld,
  withOnePrimary,
} from "#server/provisioning/scim/resource.ts";
import { invalidPath, invalidSyntax, invalidValue, quote, ScimError } from "#server/provisioning/scim/scimError.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";
import { PATCH } from "#shared/provisioning/schemas.ts";

// Changes by PATCH (RFC 7644, 3.5.2)

export const MAX_OPERATIONS = 1000;

export type Operation = { op: "add" | "replace" | "remove"; path: string | null; value: unknown };

/** The operations of a body. Entra capitalises their names. */
export function readOperations(body: unknown): Operation[] {
  const members = readBody(body, PATCH);
  const operations = members.get("operations");
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax("“Operations” must be a list with at least one operation.");
  if (operations.length > MAX_OPERATIONS)
    throw invalidSyntax(`A request must have at most ${MAX_OPERATIONS} operations.`);
  return operations.map((one: unknown) => {
    if (!isObject(one)) throw invalidSyntax("An operation must be an object.");
    const said = membersOf(one);
    const named = said.get("op");
    const op = typeof named === "string" ? named.toLowerCase() : null;
    if (op !== "add" && op !== "replace" && op !== "remove")
      throw invalidSyntax("“op” must be add, replace or remove.");
    const path = said.get("path") ?? null;
    if (path !== null && typeof path !== "string") throw invalidPath("“path” must be a string.");
    if (op !== "remove" && said.get("value") === undefined) throw invalidValue("“value” is missing.");
    return { op, path: path === "" ? null : path, value: said.get("value") };
  });
}

export type Path = Address & { filter: Filter | null };

/**
 * `name.givenName`, `emails[type eq "work"].value`, `urn:…:User:department`; null for an attribute that is ignored, and
 * for an unknown one unless it has to be known.
 */
export function parsePath(type: ResourceType, text: string, isKnown = true): Path | null {
  if (text.length > MAX_FILTER_CHARS) throw invalidPath("The path is too long.");
  const open = text.indexOf("[");
  const close = text.lastIndexOf("]");
  if (open < 0 !== close < 0 || close < open) throw invalidPath("A square bracket is missing.");
  const before = open < 0 ? text : text.slice(0, open);
  const address = findAddress(type, (open < 0 ? text : before + text.slice(close + 1)).trim());
  if (!address) {
    const first = splitUrn(type, before).rest.split(".")[0] ?? "";
    if (!isKnown || isIgnored(first.trim())) return null;
    throw invalidPath(`There is no attribute ${quote(before)}.`);
  }
  if (open < 0) return { ...address, filter: null };
  if (!address.attribute.multiValued)
    throw invalidPath(`“${address.attribute.name}” has a single value, so its path cannot have square brackets.`);
  return { ...address, filter: parseFilter(text.slice(open + 1, close)) };
}

/** Changes a resource by operations, in their order. `isLenient`: attributes that cannot be changed are left out. */
export function applyOperations(type: ResourceType, resource: Resource, operations: Operation[], isLenient = false) {
  const attempt: Attempt = (change) => {
    try {
      change();
    } catch (error) {
      if (!isLenient || !(error instanceof ScimError)) throw error;
    }
  };
  for (const operation of operations) attempt(() => apply(type, resource, operation, attempt));
}
type Attempt = (change: () => void) => void;

function apply(type: ResourceType, resource: Resource, { op, path, value }: Operation, attempt: Attempt) {
  if (path !== null && !isWhole(type, path)) {
    const parsed = parsePath(type, path);
    if (parsed) applyAt(resource, op, parsed, value);
    return;
  }
  if (op === "remove") throw new ScimError(400, "A remove operation must have a path.", "noTarget");
  applyMembers(type, resource, op, path, value, attempt);
}

/** The URN of a schema alone: the operation is about all of its attributes. */
const isWhole = (type: ResourceType, path: string) =>
  [type.core, ...type.extensions].some(({ id }) => id.toLowerCase() === path.toLowerCase());

/** Without a path the value holds attributes, whose names may be paths: `{ "name.givenName": "Ada" }`. */
function applyMembers(
  type: ResourceType,
  resource: Resource,
  op: "add" | "replace",
  urn: string | null,
  value: unknown,
  attempt: Attempt,
) {
  if (!isObject(value)) throw invalidValue("Without “path”, “value” must be an object of attributes.");
  membersOf(value);
  for (const [key, held] of Object.entries(value))
    attempt(() => {
      if (urn === null && isWhole(type, key)) return applyMembers(type, resource, op, key, held, attempt);
      const path = parsePath(type, urn === null ? key : `${urn}:${key}`, false);
      // Okta sends the id along.
      if (path && path.attribute.mutability !== "readOnly") applyAt(resource, op, path, held);
    });
}

function applyAt(resource: Resource, op: Operation["op"], path: Path, value: unknown) {
  const { urn, attribute, sub, filter } = path;
  if (attribute.mutability === "readOnly" || (sub?.mutability === "readOnly" && sub.name !== "display"))
    throw new ScimError(400, `“${attribute.name}” cannot be changed.`, "mutability");
  const held = heldIn(resource, urn, attribute.name);
  if (attribute.multiValued) {
    const entries = changeEntries(attribute, (held as Entry[] | undefined) ?? [], op, { sub, filter }, value);
    if (entries.length > MAX_VALUES) throw invalidValue(`“${attribute.name}” must have at most ${MAX_VALUES} values.`);
    return setHeld(resource, urn, attribute.name, entries.length > 0 ? entries : null);
  }
  if (attribute.type === "complex") {
    const change = changeComplex(attribute, held as Entry | undefined, op, sub, value);
    return setHeld(resource, urn, attribute.name, change);
  }
  setHeld(resource, urn, attribute.name, op === "remove" ? null : readValue(attribute, value));
}

/** Adding to or replacing a complex value changes only the parts that are given. */
function changeComplex(
  attribute: Attribute,
  held: Entry = {},
  op: Operation["op"],
  sub: Attribute | null,
  value: unknown,
) {
  const changed = { ...held };
  if (sub) {
    const part = op === "remove" ? null : readSingle(sub, Array.isArray(value) ? value[0] : value);
    if (typeof part === "string" || typeof part === "boolean") changed[sub.name] = part;
    else delete changed[sub.name];
  } else {
    const given = op === "remove" ? null : (readValue(attribute, value) as Entry | null);
    if (given === null) return null;
    Object.assign(changed, given);
  }
  return Object.keys(changed).length > 0 ? changed : null;
}

type Target = { sub: Attribute | null; filter: Filter | null };

function changeEntries(
  attribute: Attribute,
  held: Entry[],
  op: Operation["op"],
  { sub, filter }: Target,
  value: unknown,
): Entry[] {
  const isMet = (entry: Entry) => filter === null || meets(entry, filter);
  if (op === "remove") {
    const named = value === undefined ? null : ((readValue(attribute, value) as Entry[] | null) ?? []);
    const isNamed = ({ value: of }: Entry) => named === null || named.some((one) => one.value === of);
    if (!sub) return held.filter((entry) => !(isMet(entry) && isNamed(entry)));
    return held.map((entry) => (isMet(entry) ? without(entry, sub.name) : entry)).filter((entry) => "value" in entry);
  }
  if (sub) return setPart(held, isMet, sub, filter, readSingle(sub, Array.isArray(value) ? value[0] : value));
  if (filter) {
    const given = readSingle(attribute, Array.isArray(value) ? value[0] : value) as Entry | null;
    const at = held.findIndex(isMet);
    if (at < 0) return preferring([...held, { ...impliedBy(filter), ...given }], given, held.length);
    const changed = op === "replace" ? { ...impliedBy(filter), ...given } : { ...held[at], ...given };
    return preferring(held.with(at, changed), given, at);
  }
  const given = (readValue(attribute, value) as Entry[] | null) ?? [];
  if (op === "replace") return given;
  const isSame = (a: Entry, b: Entry) => a.value === b.value && a.type === b.type;
  const added = given.filter((entry) => !held.some((one) => isSame(one, entry)));
  const preferred = added.find(({ primary }) => primary === true);
  const all = [...held, ...added];
  return preferred ? withOnePrimary(all, all.indexOf(preferred)) : all;
}

/** Sets a part of the values that are meant. If there is none, one is made that is: Entra sets a first address so. */
function setPart(
  held: Entry[],
  isMet: (entry: Entry) => boolean,
  sub: Attribute,
  filter: Filter | null,
  part: Held | null,
): Entry[] {
  if (typeof part !== "string" && typeof part !== "boolean")
    return held.map((entry) => (isMet(entry) ? without(entry, sub.name) : entry)).filter((entry) => "value" in entry);
  const set = { [sub.name]: part };
  if (!held.some(isMet)) return preferring([...held, { ...impliedBy(filter), ...set }], set, held.length);
  const changed = held.map((entry) => (isMet(entry) ? { ...entry, ...set } : entry));
  return preferring(changed, set, held.findIndex(isMet));
}

const preferring = (entries: Entry[], given: Entry | null, at: number) =>
  given?.primary === true ? withOnePrimary(entries, at) : entries;

const without = (entry: Entry, name: string): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([key]) => key !== name));

/** What a value that meets a filter of equalities has: `type eq "work"`. */
function impliedBy(filter: Filter | null): Entry {
  if (filter === null) return {};
  if (filter.kind === "and") return Object.assign({}, ...filter.parts.map(impliedBy)) as Entry;
  if (filter.kind === "compare" && filter.operator === "eq") {
    const name = filter.path.toLowerCase();
    if (name === "type" || name === "value") return { [name]: String(filter.value) };
    if (name === "primary") return { primary: String(filter.value).toLowerCase() === "true" };
  }
  throw new ScimError(400, "No value of the attribute matches the filter in the path.", "noTarget");
}

export const tooManyMembers = () => new ScimError(413, `A request must name at most ${scimLimits.members} members.`);

/** The ids in the value of an operation on the members of a group. */
export function readMembers(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > scimLimits.members) throw tooManyMembers();
  return list.map((one: unknown) => {
    const members = isObject(one) ? membersOf(one) : new Map([["value", one]]);
    const kind = members.get("type");
    if (typeof kind === "string" && kind.toLowerCase() === "group")
      throw invalidValue("The members of a group must be users, not groups.");
    const id = members.get("value");
    if (typeof id !== "string") throw invalidValue("The “value” of a member must be the id of a user.");
    return id.toLowerCase();
  });
}

/** The ids that `members[value eq "…"]` means. */
export function membersMeant(filter: Filter): string[] {
  if (filter.kind === "or") return filter.parts.flatMap(membersMeant);
  if (filter.kind === "compare" && filter.operator === "eq" && filter.path.toLowerCase() === "value")
    return [String(filter.value).toLowerCase()];
  throw invalidPath("Members in a path must be selected by “value eq”.");
}
