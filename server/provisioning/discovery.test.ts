import SCIMMY from "scimmy";
import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, GROUP, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";

const server = await start();
const { company } = createDirectories(server);
const { create, done, call } = await company();

type Attribute = {
  name: string;
  type: string;
  multiValued: boolean;
  required: boolean;
  mutability: string;
  returned: string;
  uniqueness: string;
  caseExact?: boolean;
  referenceTypes?: string[];
  subAttributes?: Attribute[];
};
type SchemaReply = { id: string; attributes: Attribute[] };

test("the configuration says what is supported", async () => {
  expect(await done("GET", "/ServiceProviderConfig")).toMatchObject({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [{ type: "oauthbearertoken", primary: true }],
  });
});

test("kinds of resources and schemas are listed, and read one by one", async () => {
  const types = await done<{ Resources: { id: string; endpoint: string }[] }>("GET", "/ResourceTypes");
  expect(types.Resources.map(({ id, endpoint }) => [id, endpoint])).toEqual([
    ["User", "/Users"],
    ["Group", "/Groups"],
  ]);
  const schemas = await done<{ Resources: SchemaReply[] }>("GET", "/Schemas");
  expect(schemas.Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE, GROUP]);
  for (const { id } of schemas.Resources) expect(await done("GET", `/Schemas/${id}`)).toMatchObject({ id });
  for (const { id } of types.Resources) expect(await done("GET", `/ResourceTypes/${id}`)).toMatchObject({ id });
  expect((await call("GET", "/ServiceProviderConfig", undefined, { authorization: "" })).status).toBe(401);
});

/** An attribute of `scimmy`, made of what our schema says. */
const toAttribute = ({ name, type, subAttributes = [], ...said }: Attribute): unknown => {
  const { multiValued, caseExact, mutability, returned, uniqueness, referenceTypes } = said;
  const config = {
    multiValued,
    mutable: mutability !== "readOnly",
    direction: "both",
    returned: returned !== "never",
    ...(caseExact !== undefined && { caseExact }),
    ...(type !== "complex" && { uniqueness: uniqueness === "none" ? false : uniqueness }),
    ...(referenceTypes && { referenceTypes }),
  };
  return new SCIMMY.Types.Attribute(type as "string", name, config as never, subAttributes.map(toAttribute) as never);
};

test("scimmy reads our schemas, and our people by them", async () => {
  const { Resources } = await done<{ Resources: SchemaReply[] }>("GET", "/Schemas");
  const [user, enterprise] = Resources.map(
    ({ id, attributes }) =>
      new SCIMMY.Types.SchemaDefinition(
        id.split(":").at(-1) as string,
        id,
        "Ours",
        attributes.map(toAttribute) as never,
      ),
  );
  if (!user || !enterprise) throw new Error("a schema is missing");
  user.extend(enterprise);
  const made = await create({
    userName: "scimmy",
    name: { givenName: "Ada", familyName: "Lovelace" },
    emails: [{ value: "ada@scimmy.test", type: "work", primary: true }],
    phoneNumbers: [{ value: "+49 30 1", type: "mobile" }],
    [ENTERPRISE]: { employeeNumber: "17", department: "Maths" },
  });
  const read = user.coerce(made as never, "both") as Record<string, unknown>;
  expect(read).toMatchObject({ id: made.id, userName: "scimmy", active: true, emails: made.emails });
  expect(new SCIMMY.Schemas.User(made as never)).toMatchObject({ userName: "scimmy", displayName: "Ada Lovelace" });
  const group = await done("POST", "/Groups", { schemas: [GROUP], displayName: "G", members: [{ value: made.id }] });
  expect(new SCIMMY.Schemas.Group(group as never)).toMatchObject({ displayName: "G", members: [{ value: made.id }] });
  expect(
    new SCIMMY.Schemas.ServiceProviderConfig((await done("GET", "/ServiceProviderConfig")) as never),
  ).toMatchObject({
    patch: { supported: true },
  });
  for (const type of (await done<{ Resources: object[] }>("GET", "/ResourceTypes")).Resources)
    expect(new SCIMMY.Schemas.ResourceType(type as never)).toMatchObject({ schemas: expect.any(Array) });
  expect(new SCIMMY.Messages.ListResponse((await done("GET", "/Users")) as never).totalResults).toBe(2);
});
