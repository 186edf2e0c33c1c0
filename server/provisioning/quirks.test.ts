import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, GROUP, patchOf, type ScimList, type ScimUser, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";

// What Entra ID and Okta send differently from RFC 7644, as their documentation shows it

const server = await start();
const { company } = createDirectories(server);
const { age, create, patch, read, done, call, find } = await company();
let count = 0;
const person = (more: object = {}) => create({ userName: `person-${++count}`, ...more });
// So many that a single suspension is within the limit.
for (let at = 0; at < 150; at++) await person();
await age();

test.each<[string, object]>([
  ["the text False", { op: "Replace", path: "active", value: "False" }],
  ["a list with one element", { op: "Replace", path: "active", value: [{ $ref: null, value: "False" }] }],
  ["a list with false", { op: "replace", path: "active", value: [false] }],
  ["accountEnabled", { op: "Replace", path: "accountEnabled", value: "False" }],
  ["Okta's change without a path", { op: "replace", value: { active: false } }],
  ["Entra's change without a path", { op: "Replace", value: { active: "False", displayName: "Gone" } }],
  ["another case", { op: "REPLACE", path: "ACTIVE", value: "false" }],
])("a person is suspended by %s", async (_, operation) => {
  const { id } = await person();
  expect((await patch(id, operation)).active).toBe(false);
  expect((await patch(id, { op: "Replace", path: "active", value: "True" })).active).toBe(true);
});

test("operations of Entra are capitalised, and add what is missing", async () => {
  const { id } = await person();
  const changed = await patch(
    id,
    { op: "Add", path: "name.givenName", value: "Ada" },
    { op: "Add", path: "name.familyName", value: "Lovelace" },
    { op: "Replace", path: 'emails[type eq "work"].value', value: "ada@quirks.test" },
    { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+49 30 1" },
    { op: "Add", path: `${ENTERPRISE}:department`, value: "Maths" },
    { op: "Add", path: 'addresses[type eq "work"].streetAddress', value: "1 Street" },
  );
  expect(changed).toMatchObject({
    displayName: "Ada Lovelace",
    emails: [{ type: "work", value: "ada@quirks.test" }],
    phoneNumbers: [{ type: "mobile", value: "+49 30 1" }],
    [ENTERPRISE]: { department: "Maths" },
  });
  const again = await patch(id, { op: "Replace", path: 'emails[type eq "work"].value', value: "countess@quirks.test" });
  expect(again.emails).toEqual([{ type: "work", value: "countess@quirks.test" }]);
});

test("names with dots are paths where there is no path", async () => {
  const { id } = await person();
  const value = {
    "name.givenName": "Grace",
    "name.familyName": "Hopper",
    'emails[type eq "work"].value': "grace@quirks.test",
    [`${ENTERPRISE}:department`]: "Navy",
    [ENTERPRISE]: { costCenter: "4130" },
  };
  expect(await patch(id, { op: "add", value })).toMatchObject({
    name: { givenName: "Grace", familyName: "Hopper" },
    emails: [{ value: "grace@quirks.test" }],
    [ENTERPRISE]: { department: "Navy", costCenter: "4130" },
  });
});

test("a manager is a text or an object, and removed by an empty one", async () => {
  const [boss, { id }] = [await person(), await person()];
  const path = `${ENTERPRISE}:manager`;
  for (const value of [boss.id, { value: boss.id }, [{ value: boss.id }]]) {
    const changed = await patch(id, { op: "Add", path, value });
    expect(changed[ENTERPRISE]).toMatchObject({ manager: { value: boss.id } });
    expect((await patch(id, { op: "Replace", path, value: null }))[ENTERPRISE]).toBeUndefined();
  }
});

test("Entra's probe for somebody who does not exist gets an empty list", async () => {
  const { status, body } = await call("GET", `/Users?filter=userName+eq+%22non-existing-user%22`);
  expect([status, body]).toEqual([
    200,
    {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    },
  ]);
  expect((await find('externalId eq "none"', "Groups")).totalResults).toBe(0);
});

test("an address is found by the filters that Entra sends", async () => {
  const { id } = await person({ emails: [{ value: "find@quirks.test", type: "work", primary: true }] });
  for (const filter of [
    'emails[type eq "work"].value eq "FIND@quirks.test"',
    'emails[type eq "work" and value co "find@quirks"]',
    'EMAILS.VALUE eq "find@quirks.test"',
    'emails eq "find@quirks.test"',
  ])
    expect([filter, (await find(filter)).Resources.map((one) => one.id)]).toEqual([filter, [id]]);
});

test("Entra asks for a manager or a member without naming the schema", async () => {
  const [boss, other] = [await person(), await person()];
  const { id } = await person({ [ENTERPRISE]: { manager: { value: boss.id }, department: "Sea" } });
  const ids = async (filter: string, kind = "Users") => (await find(filter, kind)).Resources.map((one) => one.id);
  expect(await ids(`id eq "${id}" and manager eq "${boss.id}"`)).toEqual([id]);
  expect(await ids(`id eq "${id}" and manager.value eq "${other.id}"`)).toEqual([]);
  expect(await ids('department eq "sea"')).toEqual([id]);
  const members = [{ value: id }];
  const group = await done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName: "Led", members });
  expect(await ids(`id eq "${group.id}" and members eq "${id}"`, "Groups")).toEqual([group.id]);
  expect(await ids(`id eq "${group.id}" and members eq "${boss.id}"`, "Groups")).toEqual([]);
  const foreign = await call("GET", `/Groups?${new URLSearchParams({ filter: 'department eq "sea"' })}`);
  expect([foreign.status, foreign.body]).toMatchObject([400, { scimType: "invalidFilter" }]);
});

test("Okta tests the connection, and replaces a person as a whole", async () => {
  const list = await done<ScimList>("GET", "/Users?startIndex=1&count=2");
  expect([list.itemsPerPage, list.startIndex, list.Resources.length]).toEqual([2, 1, 2]);
  const made = await create({
    userName: "test.user@okta.test",
    name: { givenName: "Test", familyName: "User" },
    emails: [{ primary: true, value: "test.user@okta.test", type: "work" }],
    displayName: "Test User",
    locale: "en-US",
    externalId: "00ujl29u0le5T6Aj10h7",
    groups: [],
    password: "1mz050nq",
    active: true,
  });
  const { meta: _, ...sent } = made;
  const put = await done<ScimUser>("PUT", `/Users/${made.id}`, {
    ...sent,
    name: { givenName: "Another", middleName: "Excited", familyName: "User" },
    displayName: "Another User",
    active: false,
  });
  expect(put).toMatchObject({ active: false, displayName: "Another User", name: { middleName: "Excited" } });
});

test("members of a group come and go as Entra and Okta send them", async () => {
  const [a, b, c] = [await person(), await person(), await person()];
  const group = await done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName: "Crew", externalId: "g-1" });
  const change = (...operations: object[]) => call("PATCH", `/Groups/${group.id}`, patchOf(...operations));
  const members = async () =>
    ((await done<{ members?: { value: string }[] }>("GET", `/Groups/${group.id}`)).members ?? [])
      .map(({ value }) => value)
      .toSorted();
  const ids = (...people: ScimUser[]) => people.map(({ id }) => id).toSorted();
  expect((await change({ op: "Add", path: "members", value: [{ $ref: null, value: a.id }] })).status).toBe(204);
  await change({ op: "add", value: { members: [{ value: b.id, display: "b" }] } });
  expect(await members()).toEqual(ids(a, b));
  await change({ op: "Remove", path: `members[value eq "${a.id}"]` });
  expect(await members()).toEqual(ids(b));
  await change(
    { op: "remove", path: "members", value: [{ value: b.id }] },
    { op: "add", path: "members", value: c.id },
  );
  expect(await members()).toEqual(ids(c));
  await change({ op: "replace", path: "members", value: [{ value: a.id }, { value: b.id }] });
  await change({
    op: "replace",
    value: { id: group.id, displayName: "The crew", description: "Ours", schemas: [GROUP] },
  });
  expect(await members()).toEqual(ids(a, b));
  const renamed = await done<ScimUser>("GET", `/Groups/${group.id}?excludedAttributes=members`);
  expect([renamed.displayName, renamed.members]).toEqual(["The crew", undefined]);
  expect((await read(a.id)).groups).toEqual([{ value: group.id, $ref: renamed.meta.location, display: "The crew" }]);
  expect((await change({ op: "replace", path: "description", value: "Ours" })).status).toBe(400);
  await change({ op: "remove", path: "members" });
  expect(await members()).toEqual([]);
});

test("bodies are also accepted as application/json", async () => {
  const headers = { "content-type": "application/json; charset=utf-8" };
  expect((await call("POST", "/Users", { schemas: [USER], userName: "json" }, headers)).status).toBe(201);
  expect((await call("POST", "/Users", "<xml/>", { "content-type": "text/xml" })).status).toBe(415);
});
