import {
  type Attribute,
  enterpriseSchema,
  groupSchema,
  type ResourceType,
  type Schema,
  userSchema,
} from "#server/provisioning/scim/attributes.ts";
import type { Scim } from "#server/provisioning/scim/context.ts";
import { unknownResource } from "#server/provisioning/scim/scimError.ts";
import { scimLimits } from "#shared/provisioning/provisioning.ts";

// What this server can do, for directories that ask (RFC 7643, 5 to 7)

export const providerConfig = (base: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: scimLimits.page },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer key",
      description: "A key that an admin creates in Lyceum, sent as a bearer token.",
      specUri: "https://www.rfc-editor.org/rfc/rfc6750",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
});

const typeOf = (base: string, { id, name, description }: Schema, extensions: Schema[]) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
  id: name,
  name,
  endpoint: `/${name}s`,
  description,
  schema: id,
  ...(extensions.length > 0 && {
    schemaExtensions: extensions.map((extension) => ({ schema: extension.id, required: false })),
  }),
  meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/${name}` },
});

export const listTypes = ({ base, users }: Pick<Scim, "base" | "users">) => [
  typeOf(base, userSchema, users.extensions),
  typeOf(base, groupSchema, []),
];

const describeAttribute = ({ subAttributes, ...attribute }: Attribute): Record<string, unknown> => ({
  name: attribute.name,
  type: attribute.type,
  ...(subAttributes && { subAttributes: subAttributes.map(describeAttribute) }),
  multiValued: attribute.multiValued ?? false,
  description: attribute.description,
  required: attribute.required ?? false,
  ...(attribute.canonicalValues && { canonicalValues: attribute.canonicalValues }),
  ...(attribute.type !== "boolean" && attribute.type !== "complex" && { caseExact: attribute.caseExact ?? false }),
  mutability: attribute.mutability ?? "readWrite",
  returned: attribute.returned ?? "default",
  uniqueness: attribute.uniqueness ?? "none",
  ...(attribute.type === "reference" && { referenceTypes: attribute.referenceTypes ?? [] }),
});

const describe = (base: string, { id, name, description, attributes }: Schema) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  id,
  name,
  description,
  attributes: attributes.map(describeAttribute),
  meta: { resourceType: "Schema", location: `${base}/Schemas/${id}` },
});

export function listSchemas({ base, users }: Pick<Scim, "base"> & { users: ResourceType }) {
  const others = users.extensions.filter(({ id }) => id !== enterpriseSchema.id);
  return [userSchema, enterpriseSchema, ...others, groupSchema].map((schema) => describe(base, schema));
}

export function findById<T extends { id: string }>(list: T[], id: string): T {
  const found = list.find((one) => one.id.toLowerCase() === id.toLowerCase());
  if (!found) throw unknownResource();
  return found;
}
