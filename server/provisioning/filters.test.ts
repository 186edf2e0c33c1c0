import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, FIELDS, GROUP, PATCH, type ScimList, SEARCH, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { fields } from "#shared/fields/fields.ts";
import { provisioning } from "#shared/provisioning/provisioning.ts";

const server = await start();
const { as, db } = server;
const { company } = createDirectories(server);
const { create, call, done, find, admin, company: of, learner } = await company();
const other = await company();
await other.create({ userName: "ada", title: "Pilot" });

const params = { id: of.id };
const choice = (
  await as(admin)(fields.create, {
    body: {
      companyId: of.id,
      key: "site",
      name: "Site",
      kind: "choice",
      choices: [{ name: "Berlin" }, { name: "Paris" }],
    },
  })
).body;
await as(admin)(fields.create, { body: { companyId: of.id, key: "floor", name: "Floor", kind: "number" } });
await as(admin)(provisioning.update, {
  params,
  body: { mapping: { [`${ENTERPRISE}:department`]: choice.id }, version: 0 },
});
await create({ userName: "ada", title: "Pilot", name: { givenName: "Ada" }, [ENTERPRISE]: { department: "Berlin" } });
await create({ userName: "Ben", emails: [{ value: "ben@filters.test", type: "home" }], [FIELDS]: { floor: "2.5" } });
await create({ userName: "cleo", title: "pilot", active: false, externalId: "Ext", locale: "de-DE" });

const names = async (filter: string) => (await find(filter)).Resources.map(({ userName }) => userName).toSorted();
const nested = (depth: number) => `${"(".repeat(depth)}externalId pr${")".repeat(depth)}`;
const anyOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `externalId ${at === count - 1 ? "pr" : `eq "${at}"`}`).join(" or ");
const all = ["ada", "Ben", "cleo", learner.user.email].toSorted();

test.each<[string, string[]]>([
  ['userName eq "ADA"', ["ada"]],
  ['username Eq "ada"', ["ada"]],
  [`${USER}:userName sw "b"`, ["Ben"]],
  ['userName ne "ada" and title pr', ["cleo"]],
  ['title eq "pilot"', ["ada", "cleo"]],
  ['title co "ilo" and not (userName eq "ada")', ["cleo"]],
  ['userName eq "ada" or userName eq "ben" and active eq false', ["ada"]],
  ['(userName eq "ada" or userName eq "cleo") and active eq false', ["cleo"]],
  ['active eq "False"', ["cleo"]],
  ['externalId eq "ext"', []],
  ['externalId eq "Ext"', ["cleo"]],
  ['name.givenName ew "DA"', ["ada"]],
  ['name[givenName eq "ada"]', ["ada"]],
  ['emails[type eq "home" and not (value co "x@")]', ["Ben"]],
  ['emails pr and userName sw "b"', ["Ben"]],
  [`${ENTERPRISE}:department eq "berlin"`, ["ada"]],
  [`${FIELDS}:floor eq "2.5"`, ["Ben"]],
  ['userName gt "ba" and userName lt "bz"', ["Ben"]],
  ['meta.created gt "2020-01-01T00:00:00Z" and locale eq "de-de"', ["cleo"]],
  ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
  ['locale eq null and userName sw "b"', ["Ben"]],
  ['userName eq "a\\"b"', []],
  [`userName eq "x' or 'a'='a"`, []],
  ['meta.resourceType eq "User"', all],
  [nested(12), ["cleo"]],
  [anyOf(10), ["cleo"]],
])("%s finds %j", async (filter, expected) => {
  expect(await names(filter)).toEqual(expected.toSorted());
});

test.each([
  "userName",
  "userName eq",
  "userName eq ada",
  'userName is "ada"',
  'nothing eq "x"',
  'userName eq "ada" and',
  '(userName eq "ada"',
  'userName eq "ada")',
  'not userName eq "ada"',
  'emails[type eq "work"',
  'emails[a[b eq "c"]]',
  "active gt true",
  'active eq "maybe"',
  'meta.created gt "yesterday"',
  "userName gt null",
  'userName eq "unfinished',
  nested(13),
  anyOf(11),
  `userName eq "${"x".repeat(5000)}"`,
])("the filter %s is refused in words", async (filter) => {
  const { status, body } = await call("GET", `/Users?${new URLSearchParams({ filter })}`);
  expect([status, body]).toMatchObject([400, { scimType: "invalidFilter" }]);
});

test("lists are sorted, paged and cut to the attributes that were asked for", async () => {
  const list = (query: Record<string, string>) => done<ScimList>("GET", `/Users?${new URLSearchParams(query)}`);
  const sorted = await list({ sortBy: "userName", sortOrder: "descending", attributes: "userName" });
  expect(sorted.Resources.map(({ userName }) => userName)).toEqual(
    all.toSorted((a, b) => (b.toLowerCase() < a.toLowerCase() ? -1 : 1)),
  );
  expect(Object.keys(sorted.Resources[0] ?? {}).toSorted()).toEqual(["id", "schemas", "userName"]);
  const page = await list({
    sortBy: "userName",
    startIndex: "2",
    count: "2",
    excludedAttributes: "meta,name.givenName",
  });
  expect([page.totalResults, page.startIndex, page.itemsPerPage]).toEqual([4, 2, 2]);
  expect(page.Resources[0]).not.toHaveProperty("meta");
  expect(await list({ count: "0" })).toMatchObject({ totalResults: 4, Resources: [] });
  expect(await list({ startIndex: "-5", count: "99999" })).toMatchObject({ startIndex: 1, itemsPerPage: 4 });
  expect(await list({ startIndex: "100" })).toMatchObject({ totalResults: 4, Resources: [] });
  const parts = await list({ filter: 'userName eq "ben"', attributes: `emails.value,${FIELDS}:floor` });
  expect(parts.Resources[0]).toMatchObject({ emails: [{ value: "ben@filters.test" }], [FIELDS]: { floor: "2.5" } });
  expect(parts.Resources[0]).not.toHaveProperty("userName");
  for (const query of [
    "count=x",
    "sortBy=nothing",
    "attributes=id&excludedAttributes=meta",
    "sortOrder=up",
    "count=1&count=2",
  ])
    expect([query, (await call("GET", `/Users?${query}`)).status]).toEqual([query, 400]);
});

test("a page has at most 200 people", async () => {
  const large = await company();
  await sql`
    insert into users (name, role, status, company_id)
    select 'Person ' || number, 'learner', 'invited', ${large.company.id}
    from generate_series(1, 200) number`.execute(db);
  for (const [query, itemsPerPage] of [
    ["count=199", 199],
    ["count=200", 200],
    ["count=201", 200],
    ["count=201&startIndex=201", 1],
    ["", 100],
  ] as const) {
    const page = await large.done<ScimList>("GET", `/Users?${query}`);
    expect([query, page.Resources.length, page]).toMatchObject([
      query,
      itemsPerPage,
      { totalResults: 201, itemsPerPage },
    ]);
  }
});

test("a search by POST finds the same, also among people and groups together", async () => {
  const schemas = [SEARCH];
  await done("POST", "/Groups", {
    schemas: [GROUP],
    displayName: "Ada's crew",
  });
  const search = (path: string, body: object) => done<ScimList>("POST", `${path}/.search`, { schemas, ...body });
  expect((await search("/Users", { filter: 'title eq "pilot"', count: 1 })).totalResults).toBe(2);
  const both = await search("", { filter: 'displayName sw "ada"', sortBy: "displayName", attributes: ["displayName"] });
  expect(both.Resources.map(({ displayName }) => displayName)).toEqual(["Ada", "Ada's crew"]);
  expect((await search("", { filter: 'title eq "pilot"' })).totalResults).toBe(2);
});

test("values go to the fields of the company, and come back from there", async () => {
  const [ada] = (await find('userName eq "ada"')).Resources;
  expect(ada?.[ENTERPRISE]).toEqual({ department: "Berlin" });
  const { body } = await as(admin)(fields.ofPerson, { params: { id: String(ada?.id) } });
  expect(body.items.find(({ id }) => id === choice.id)?.text).toBe("Berlin");
  const [ben] = (await find('userName eq "ben"')).Resources;
  expect(ben?.[FIELDS]).toEqual({ floor: "2.5" });
  const reply = await call("PATCH", `/Users/${ada?.id}`, {
    schemas: [PATCH],
    Operations: [{ op: "replace", path: `${ENTERPRISE}:department`, value: "Rome" }],
  });
  expect([reply.status, reply.body]).toMatchObject([400, { scimType: "invalidValue" }]);
});
