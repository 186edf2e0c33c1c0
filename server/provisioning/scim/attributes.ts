import { ENTERPRISE, FIELDS, GROUP, USER } from "#shared/provisioning/schemas.ts";

// The attributes of users and groups that this server knows (RFC 7643), as data: they are described by /Schemas, read
// from bodies, addressed by paths and filters, and chosen for answers by this list.

export type Attribute = {
  name: string;
  type: "string" | "boolean" | "complex" | "reference" | "dateTime";
  description: string;
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: "readOnly" | "readWrite" | "immutable";
  returned?: "always" | "default";
  uniqueness?: "none" | "server";
  canonicalValues?: string[];
  referenceTypes?: string[];
  subAttributes?: Attribute[];
};
/** A schema: its attributes, or those of an extension under its URN. */
export type Schema = { id: string; name: string; description: string; attributes: Attribute[] };
/** A kind of resource with everything that its resources may have. */
export type ResourceType = { name: "User" | "Group"; core: Schema; extensions: Schema[] };

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: "string",
  description,
  ...more,
});
const primary: Attribute = { name: "primary", type: "boolean", description: "The preferred one." };
const display = text("display", "A name to show.");
const kind = (...canonicalValues: string[]) => text("type", "What it is for.", { canonicalValues });
const readOnly = { mutability: "readOnly" } as const;

/** What every resource has (RFC 7643, 3.1). */
export const common: Attribute[] = [
  text("id", "The id of the resource.", { ...readOnly, caseExact: true, returned: "always", uniqueness: "server" }),
  text("externalId", "The id that the directory gives the resource.", { caseExact: true }),
  {
    name: "meta",
    type: "complex",
    description: "Facts about the resource.",
    ...readOnly,
    subAttributes: [
      text("resourceType", "User or Group.", { ...readOnly, caseExact: true }),
      { name: "created", type: "dateTime", description: "When it was created.", ...readOnly },
      { name: "lastModified", type: "dateTime", description: "When it last changed.", ...readOnly },
      { name: "location", type: "reference", description: "Its address.", ...readOnly, referenceTypes: ["uri"] },
      text("version", "Its ETag.", { ...readOnly, caseExact: true }),
    ],
  },
];

export const userSchema: Schema = {
  id: USER,
  name: "User",
  description: "A learner of the company.",
  attributes: [
    text("userName", "Identifies a person in the directory.", { required: true, uniqueness: "server" }),
    {
      name: "name",
      type: "complex",
      description: "The parts of the name.",
      subAttributes: [
        text("formatted", "The whole name."),
        text("familyName", "The family name."),
        text("givenName", "The given name."),
        text("middleName", "The middle names."),
        text("honorificPrefix", "Such as Dr."),
        text("honorificSuffix", "Such as III."),
      ],
    },
    text("displayName", "The name that Lyceum shows."),
    text("nickName", "An informal name."),
    text("title", "Such as Vice President."),
    text("userType", "Such as Employee or Contractor."),
    text("preferredLanguage", "A language tag, such as en."),
    text("locale", "A language tag with a region, such as en-US."),
    text("timezone", "A name of the IANA database, such as Europe/Berlin."),
    { name: "active", type: "boolean", description: "False suspends the person." },
    {
      name: "emails",
      type: "complex",
      multiValued: true,
      description: "Email addresses. Lyceum uses the primary one, otherwise that for work, otherwise the first.",
      subAttributes: [text("value", "The address."), display, kind("work", "home", "other"), primary],
    },
    {
      name: "phoneNumbers",
      type: "complex",
      multiValued: true,
      description: "Telephone numbers.",
      subAttributes: [text("value", "The number."), display, kind("work", "mobile", "home", "other"), primary],
    },
    {
      name: "groups",
      type: "complex",
      multiValued: true,
      description: "Groups of the directory that the person is in.",
      ...readOnly,
      subAttributes: [
        text("value", "The id of the group.", readOnly),
        { name: "$ref", type: "reference", description: "Its address.", ...readOnly, referenceTypes: ["Group"] },
        text("display", "The name of the group.", readOnly),
      ],
    },
  ],
};

export const enterpriseSchema: Schema = {
  id: ENTERPRISE,
  name: "Enterprise User",
  description: "What a company knows about its people.",
  attributes: [
    text("employeeNumber", "The personnel number.", { uniqueness: "server" }),
    text("costCenter", "The cost center."),
    text("organization", "The organization."),
    text("division", "The division."),
    text("department", "The department."),
    {
      name: "manager",
      type: "complex",
      description: "Who leads the person.",
      subAttributes: [
        text("value", "The id of the manager.", { caseExact: true }),
        { name: "$ref", type: "reference", description: "The address of the manager.", referenceTypes: ["User"] },
        text("displayName", "The name of the manager.", readOnly),
      ],
    },
  ],
};

export const groupSchema: Schema = {
  id: GROUP,
  name: "Group",
  description: "A group whose members come from the directory.",
  attributes: [
    text("displayName", "The name of the group.", { required: true, uniqueness: "server" }),
    {
      name: "members",
      type: "complex",
      multiValued: true,
      description: "The people in the group.",
      subAttributes: [
        text("value", "The id of a person.", { mutability: "immutable", caseExact: true }),
        {
          name: "$ref",
          type: "reference",
          description: "The address of the person.",
          mutability: "immutable",
          referenceTypes: ["User"],
        },
        text("display", "The name of the person.", readOnly),
        text("type", "Always User.", { mutability: "immutable", canonicalValues: ["User"] }),
      ],
    },
  ],
};

/** Attributes of a person that the directory may send and that Lyceum has no place for: they are ignored. */
const IGNORED_USER = [
  "addresses",
  "ims",
  "photos",
  "roles",
  "entitlements",
  "x509certificates",
  "profileurl",
  "password",
  "schemas",
];
export const isIgnored = (name: string) => IGNORED_USER.includes(name.toLowerCase());

/** The extension with the fields of a company. */
export const fieldsSchema = (fields: { key: string; name: string }[]): Schema => ({
  id: FIELDS,
  name: "Fields",
  description: "The fields that the company has defined in Lyceum.",
  attributes: fields.map(({ key, name }) => text(key, name)),
});

export const userType = (fields: { key: string; name: string }[]): ResourceType => ({
  name: "User",
  core: userSchema,
  extensions: [enterpriseSchema, ...(fields.length > 0 ? [fieldsSchema(fields)] : [])],
});
export const groupType: ResourceType = { name: "Group", core: groupSchema, extensions: [] };

/** Names that directories use for attributes of RFC 7643. */
const ALIASES: Record<string, string> = { accountenabled: "active" };

export const findAttribute = (attributes: Attribute[], name: string): Attribute | undefined => {
  const lower = name.toLowerCase();
  const wanted = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return attributes.find((one) => one.name.toLowerCase() === wanted);
};

/** An attribute by its path without a value filter. `urn` is that of the extension that it is in. */
export type Address = { urn: string | null; attribute: Attribute; sub: Attribute | null };

/**
 * Finds `name.givenName`, `urn:…:User:userName` or `urn:…:enterprise:2.0:User:manager.value`; null if there is no such
 * attribute.
 */
export function findAddress(type: ResourceType, path: string): Address | null {
  const { urn, rest } = splitUrn(type, path);
  const schema = urn === null ? null : type.extensions.find(({ id }) => id === urn);
  const [name = "", subName, ...more] = rest.split(".");
  if (more.length > 0) return null;
  const attribute = findAttribute(schema ? schema.attributes : [...common, ...type.core.attributes], name);
  if (!attribute) return null;
  if (subName === undefined) return { urn, attribute, sub: null };
  const sub = findAttribute(attribute.subAttributes ?? [], subName);
  return sub ? { urn, attribute, sub } : null;
}

/** Separates the URN of a schema from what follows. The URN of the core schema is null. */
export function splitUrn(type: ResourceType, path: string): { urn: string | null; rest: string } {
  const lower = path.toLowerCase();
  for (const { id } of [type.core, ...type.extensions]) {
    const urn = id === type.core.id ? null : id;
    if (lower === id.toLowerCase()) return { urn, rest: "" };
    if (lower.startsWith(`${id.toLowerCase()}:`)) return { urn, rest: path.slice(id.length + 1) };
  }
  return { urn: null, rest: path };
}
