import { textOfValue } from "#server/fields/values.ts";
import { userSchema } from "#server/provisioning/scim/attributes.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { etagOf } from "#server/provisioning/scim/etag.ts";
import { type Entry, heldIn, type Resource, schemasOf, setHeld } from "#server/provisioning/scim/resource.ts";
import { fieldOf, type UserRow } from "#server/provisioning/scim/userRows.ts";
import { mappable } from "#shared/provisioning/provisioning.ts";
import { ENTERPRISE, FIELDS } from "#shared/provisioning/schemas.ts";

/**
 * What a directory has said about a person, as it can change it: names only if they were sent, and what is stored
 * elsewhere from there, because an admin may have changed it.
 */
export function saidOf({ fields, mapping, unmapped }: Scim, row: UserRow): Resource {
  const said: Resource = structuredClone(row.attributes);
  said.userName = row.userName;
  said.active = row.isActive;
  if (row.externalId !== null) said.externalId = row.externalId;
  if (!row.isProvisioned) {
    said.displayName = row.name || row.userName;
    if (row.email) said.emails = [{ value: row.email, type: "work", primary: true }];
  }
  if (Array.isArray(said.emails)) {
    const emails = said.emails.flatMap(({ own, ...entry }): Entry[] => {
      if (own !== true) return [entry];
      return row.email === null ? [] : [{ value: row.email, ...entry }];
    });
    setHeld(said, null, "emails", emails.length > 0 ? emails : null);
  }
  if (row.number !== null) setHeld(said, ENTERPRISE, "employeeNumber", row.number);
  if (row.managerId !== null) setHeld(said, ENTERPRISE, "manager", { value: row.managerId });
  for (const path of mappable) {
    const field = fieldOf(fields, mapping, null, path);
    if (!field) continue;
    const { urn, name } = splitMapped(path);
    const text = textOfValue(field, row.fields[field.id]);
    setHeld(said, urn, name, text === null ? null : String(text));
  }
  for (const field of unmapped) {
    const text = textOfValue(field, row.fields[field.id]);
    if (text !== null) setHeld(said, FIELDS, field.key, String(text));
  }
  return said;
}

/** A path of the mapping as the URN of an extension and a name. */
export function splitMapped(path: string): { urn: string | null; name: string } {
  const prefix = `${ENTERPRISE}:`;
  return path.startsWith(prefix) ? { urn: ENTERPRISE, name: path.slice(prefix.length) } : { urn: null, name: path };
}

/** The ETag of a person: of everything that the directory can read. */
export const userTag = (said: Resource, { name, groups }: UserRow) => etagOf([said, name, groups]);

/** A person as a resource. */
export function userResource(scim: Scim, row: UserRow) {
  const { base } = scim;
  const said = saidOf(scim, row);
  const version = userTag(said, row);
  const { userName, externalId, name, displayName: _, active, ...rest } = said;
  const shown = row.name || row.userName;
  const manager = heldIn(said, ENTERPRISE, "manager");
  if (manager)
    setHeld(rest, ENTERPRISE, "manager", {
      value: String(row.managerId),
      $ref: `${base}/Users/${row.managerId}`,
      ...(row.managerName && { displayName: row.managerName }),
    });
  return {
    schemas: schemasOf(userSchema, said),
    id: row.id,
    ...(externalId !== undefined && { externalId }),
    userName,
    name: { formatted: shown, ...(name as Entry | undefined) },
    displayName: shown,
    active,
    ...rest,
    ...(row.groups.length > 0 && {
      groups: row.groups.map(({ id, name: display }) => ({ value: id, $ref: `${base}/Groups/${id}`, display })),
    }),
    meta: {
      resourceType: "User",
      created: row.createdAt,
      lastModified: row.changedAt,
      location: `${base}/Users/${row.id}`,
      version,
    },
  };
}
