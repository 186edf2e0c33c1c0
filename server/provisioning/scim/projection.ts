import type { ResourceType } from "#server/provisioning/scim/attributes.ts";
import { common, findAddress, splitUrn } from "#server/provisioning/scim/attributes.ts";
import { invalidValue } from "#server/provisioning/scim/scimError.ts";

/** Which attributes an answer has (RFC 7644, 3.4.2.5): only these, or all but these. Names are paths in lower case. */
export type Projection = { only: Set<string> | null; without: Set<string> };

const MAX_NAMES = 100;

export function readProjection(type: ResourceType, attributes: string[] | null, excluded: string[] | null): Projection {
  if (attributes && excluded) throw invalidValue("Ask for “attributes” or for “excludedAttributes”, not for both.");
  const read = (names: string[]) => {
    if (names.length > MAX_NAMES) throw invalidValue(`At most ${MAX_NAMES} attributes can be named.`);
    return new Set(names.flatMap((name) => pathOf(type, name.trim())));
  };
  return { only: attributes ? read(attributes) : null, without: read(excluded ?? []) };
}

/** Unknown attributes are left out. */
function pathOf(type: ResourceType, name: string): string[] {
  const { urn, rest } = splitUrn(type, name);
  if (urn !== null && rest === "") return [urn.toLowerCase()];
  const address = findAddress(type, name);
  if (!address) return [];
  const path = `${address.urn ? `${address.urn}:` : ""}${address.attribute.name}`;
  return [(address.sub ? `${path}.${address.sub.name}` : path).toLowerCase()];
}

/** Whether an answer has an attribute, so that it need not be read otherwise. */
export const hasAttribute = ({ only, without }: Projection, name: string) => {
  const path = name.toLowerCase();
  if (only) return [...only].some((one) => one === path || one.startsWith(`${path}.`));
  return !without.has(path);
};

const ALWAYS = new Set(["schemas", ...common.filter(({ returned }) => returned === "always").map(({ name }) => name)]);

/** A resource with the attributes that were asked for. */
export function project(resource: Record<string, unknown>, { only, without }: Projection): Record<string, unknown> {
  if (!only && without.size === 0) return resource;
  const chosen: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(resource)) {
    const path = name.toLowerCase();
    if (ALWAYS.has(name)) chosen[name] = value;
    else if (only ? only.has(path) : false) chosen[name] = value;
    else if (!only && without.has(path)) continue;
    else {
      const part = partOf(value, path.startsWith("urn:") ? `${path}:` : `${path}.`, { only, without });
      if (part !== undefined) chosen[name] = part;
    }
  }
  return chosen;
}

/** The chosen parts of a complex value; undefined if none is. */
function partOf(value: unknown, prefix: string, projection: Projection): unknown {
  const { only, without } = projection;
  if (Array.isArray(value)) {
    const parts = value.flatMap((one: unknown) => partOf(one, prefix, projection) ?? []);
    return parts.length > 0 ? parts : undefined;
  }
  if (typeof value !== "object" || value === null) return only ? undefined : value;
  const parts = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    const path = prefix + name.toLowerCase();
    if (only ? only.has(path) : !without.has(path) && typeof part !== "object") return [[name, part]];
    if (!only && without.has(path)) return [];
    const within = typeof part === "object" ? partOf(part, `${path}.`, projection) : undefined;
    return within === undefined ? [] : [[name, within]];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}
