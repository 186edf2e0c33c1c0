import type { Scim } from "#server/provisioning/scim/context.ts";
import { heldIn, isObject, membersOf, type Resource, setHeld } from "#server/provisioning/scim/resource.ts";
import { splitMapped } from "#server/provisioning/scim/userResource.ts";
import { mappable } from "#shared/provisioning/provisioning.ts";
import { ENTERPRISE, FIELDS } from "#shared/provisioning/schemas.ts";

/**
 * What a body that replaces a person says, with what it leaves out of the things that Lyceum also knows from others:
 * number, manager and fields. Null removes them.
 */
export function keepUnsaid(scim: Scim, before: Resource, said: Resource, body: unknown): Resource {
  const after = structuredClone(said);
  const keep = (urn: string | null, name: string) => {
    const held = heldIn(before, urn, name);
    if (held !== undefined && heldIn(after, urn, name) === undefined && !isCleared(body, urn, name))
      setHeld(after, urn, name, held);
  };
  keep(ENTERPRISE, "employeeNumber");
  keep(ENTERPRISE, "manager");
  for (const { key } of scim.unmapped) keep(FIELDS, key);
  for (const path of mappable) {
    const { urn, name } = splitMapped(path);
    if (scim.mapping[path]) keep(urn, name);
  }
  return after;
}

function isCleared(body: unknown, urn: string | null, name: string) {
  const members = isObject(body) ? membersOf(body) : new Map<string, unknown>();
  const extension = urn === null ? members : members.get(urn.toLowerCase());
  if (urn !== null && !isObject(extension)) return false;
  const of = urn === null ? members : membersOf(extension as Record<string, unknown>);
  const value = of.get(name.toLowerCase());
  return of.has(name.toLowerCase()) && (value === null || value === "");
}
