import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, GROUP, isWaiting, patchOf, USER } from "#test/directory.ts";
import { start } from "#test/start.ts";
import { provisioning, SCIM_PATH, scimLimits } from "#shared/provisioning/provisioning.ts";
import { sampled } from "#test/long.ts";

const lines: string[] = [];
const server = await start({}, (line) => lines.push(line));
const { as, app, db } = server;
const { company, caller } = createDirectories(server);
const { call, create, done, admin, company: of, key } = await company();
const { id } = await create({ userName: "target" });
const group = await done<{ id: string }>("POST", "/Groups", { schemas: [GROUP], displayName: "Target" });

const values = [
  null,
  0,
  -1,
  1e308,
  true,
  "",
  "\u0000",
  "\ud800",
  "\u{1F600}",
  [],
  {},
  [null],
  [[[]]],
  { value: { value: { value: 1 } } },
  { a: 1 },
  "9".repeat(5000),
  Array.from({ length: 300 }, (_, at) => ({ value: `${at}@x.test` })),
];
const attributes = [
  "userName",
  "externalId",
  "name",
  "displayName",
  "emails",
  "active",
  "phoneNumbers",
  "title",
  "id",
  "meta",
  "groups",
  "members",
  "schemas",
  "__proto__",
  "constructor",
  ENTERPRISE,
  `${ENTERPRISE}:manager`,
];

test("wrong values in any place are refused in SCIM's format and never fail the server", async () => {
  let at = 0;
  for (const attribute of attributes)
    for (const value of sampled(`scim ${attribute}`, values, 4)) {
      const json = (body: object) => JSON.stringify(body).replace('"HERE"', JSON.stringify({ [attribute]: value }));
      const bodies: [Parameters<typeof call>[0], string, string][] = [
        ["POST", "/Users", JSON.stringify({ schemas: [USER], userName: `u${at++}`, [attribute]: value })],
        ["PUT", `/Users/${id}`, JSON.stringify({ schemas: [USER], userName: "target", [attribute]: value })],
        ["PATCH", `/Users/${id}`, json(patchOf({ op: "add", value: "HERE" }))],
        ["PATCH", `/Users/${id}`, JSON.stringify(patchOf({ op: "replace", path: attribute, value }))],
        ["PATCH", `/Users/${id}`, JSON.stringify(patchOf({ op: "remove", path: attribute, value }))],
        ["PATCH", `/Groups/${group.id}`, JSON.stringify(patchOf({ op: "add", path: attribute, value }))],
        ["PATCH", `/Groups/${group.id}`, json(patchOf({ op: "replace", value: "HERE" }))],
        ["PUT", `/Groups/${group.id}`, JSON.stringify({ schemas: [GROUP], displayName: "Target", [attribute]: value })],
        ["POST", "/.search", JSON.stringify({ schemas: [USER], [attribute]: value })],
      ];
      for (const [method, path, body] of bodies) {
        const reply = await call(method, path, body);
        const said = `${method} ${path} ${body.slice(0, 200)} → ${JSON.stringify(reply.body)?.slice(0, 300)}`;
        // Suspending the target waits; everything else is done, or the fault of the caller.
        expect(isWaiting(reply) ? 400 : reply.status, said).toBeLessThan(500);
        if (reply.status >= 400)
          expect(reply.body, said).toMatchObject({ status: String(reply.status), detail: expect.any(String) });
      }
    }
  expect(lines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
}, 180_000);

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
test.each<[string, string, number]>([
  ["no JSON", "{", 400],
  ["nothing", "", 400],
  ["null", "null", 400],
  ["a list", "[]", 400],
  ["no schemas", "{}", 400],
  ["a deep value", `{"schemas":["${USER}"],"userName":${nested(20_000)}}`, 400],
  [
    "many members",
    JSON.stringify({ schemas: [USER], ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}`, at])) }),
    400,
  ],
  ["a long name", JSON.stringify({ schemas: [USER], userName: "x".repeat(300) }), 400],
  ["a large body", JSON.stringify({ schemas: [USER], userName: "x".repeat(scimLimits.user) }), 413],
])("a body with %s is refused", async (_, body, status) => {
  const reply = await call("POST", "/Users", body);
  expect([reply.status, reply.body]).toMatchObject([status, { status: String(status) }]);
});

test("too many members and operations are refused", async () => {
  const members = Array.from({ length: scimLimits.members + 1 }, () => ({ value: crypto.randomUUID() }));
  const large = await call("PATCH", `/Groups/${group.id}`, patchOf({ op: "add", path: "members", value: members }));
  expect(large.status).toBe(413);
  const many = Array.from({ length: 1001 }, () => ({ op: "add", path: "title", value: "x" }));
  expect((await call("PATCH", `/Users/${id}`, patchOf(...many))).status).toBe(400);
});

test("__proto__ changes no object", async () => {
  await call(
    "POST",
    "/Users",
    `{"schemas":["${USER}"],"userName":"p","__proto__":{"active":false},"name":{"__proto__":{"x":1}}}`,
  );
  await call("PATCH", `/Users/${id}`, patchOf({ op: "add", path: "__proto__.polluted", value: "yes" }));
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test.each([
  ["GET", "/Me", 501],
  ["PATCH", "/Me", 501],
  ["POST", "/Bulk", 501],
  ["GET", "", 404],
  ["GET", "/Nothing", 404],
  ["GET", "/Users/not-an-id", 404],
  ["GET", "/Schemas/urn:nothing", 404],
  ["GET", "/Schemas?filter=id+pr", 403],
  ["GET", "/Bulk", 501],
] as const)("%s %s is answered with %d in the format of SCIM", async (method, path, status) => {
  const reply = await call(method, path);
  expect(reply.headers["content-type"]).toMatch(/^application\/scim\+json/);
  expect([reply.status, reply.body]).toMatchObject([status, { status: String(status) }]);
});

test("a key opens nothing without being valid, and a body is not read before", async () => {
  for (const authorization of [undefined, "Bearer lys_nothing", `Basic ${key.key}`, `Bearer ${admin.token}`]) {
    const reply = await app.inject({
      method: "POST",
      url: `${SCIM_PATH}/Users`,
      headers: { ...(authorization && { authorization }), "content-type": "application/scim+json" },
      payload: "{",
    });
    expect([reply.statusCode, reply.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="SCIM"']);
    expect(reply.json()).toMatchObject({ status: "401" });
  }
  const browser = await call("GET", "/Users", undefined, { origin: "https://evil.example.com" });
  expect(browser.status).toBe(403);
  // The key is for SCIM only.
  const api = await app.inject({ url: "/api/learners", headers: { authorization: `Bearer ${key.key}` } });
  expect(api.statusCode).toBe(401);
});

test("a revoked key, and one of a suspended company, open nothing", async () => {
  const params = { id: of.id };
  const { body: second } = await as(admin)(provisioning.createKey, { params, body: { name: "Second" } });
  const use = caller(second.key);
  expect((await use("GET", "/Users")).status).toBe(200);
  const { body: listed } = await as(admin)(provisioning.get, { params });
  expect(listed.keys.find(({ id }) => id === second.id)).toMatchObject({ status: "active", name: "Second" });
  expect(JSON.stringify(listed)).not.toContain(second.key);
  await as(admin)(provisioning.revokeKey, { params: { id: second.id } });
  expect((await use("GET", "/Users")).status).toBe(401);
  const other = await company();
  await db.updateTable("companies").set({ status: "suspended" }).where("id", "=", other.company.id).execute();
  expect((await other.call("GET", "/Users")).status).toBe(401);
});
