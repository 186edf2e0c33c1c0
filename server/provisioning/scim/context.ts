import type { Tx } from "#server/core/database/db.ts";
import { type Definition, listDefinitions } from "#server/fields/values.ts";
import type { Services } from "#server/core/services.ts";
import { userType, type ResourceType } from "#server/provisioning/scim/attributes.ts";
import type { ProvisioningMapping } from "#shared/provisioning/provisioning.ts";
import { SCIM_PATH } from "#shared/provisioning/provisioning.ts";

/** The key of a request: the company that it belongs to, and the name that the audit log shows. */
export type Directory = { keyId: string; companyId: string; prefix: string; name: string };

/** The context of a call of a directory: services, company, and its settings. */
export type Scim = Services & {
  directory: Directory;
  base: string;
  /** The fields of the company, and which attributes are stored in them. */
  fields: Definition[];
  mapping: ProvisioningMapping;
  /** Fields that store no standard attribute: they are attributes by their own keys. */
  unmapped: Definition[];
  removal: "suspend" | "leave";
  invites: boolean;
  users: ResourceType;
};

/** The mapping without fields that were archived. */
export function presentMapping(mapping: ProvisioningMapping, fields: Definition[]): ProvisioningMapping {
  const ids = new Set(fields.map(({ id }) => id));
  return Object.fromEntries(Object.entries(mapping).filter(([, id]) => id && ids.has(id)));
}

/** In a transaction: the same call on its connection. */
export const within = (scim: Scim, tx: Tx): Scim => ({ ...scim, db: tx });

export async function readScim(services: Services, directory: Directory): Promise<Scim> {
  const { db, config } = services;
  const fields = await listDefinitions(db, directory.companyId);
  const settings = await db
    .selectFrom("provisioningSettings")
    .where("companyId", "=", directory.companyId)
    .select(["mapping", "removal", "invites"])
    .executeTakeFirst();
  const mapping = presentMapping(settings?.mapping ?? {}, fields);
  const taken = new Set(Object.values(mapping));
  const unmapped = fields.filter(({ id }) => !taken.has(id));
  return {
    ...services,
    directory,
    base: config.publicUrl + SCIM_PATH,
    fields,
    mapping,
    unmapped,
    removal: settings?.removal ?? "suspend",
    invites: settings?.invites ?? false,
    users: userType(unmapped),
  };
}
