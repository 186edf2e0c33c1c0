import { once } from "node:events";
import type { Socket } from "node:net";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createDirectories, ENTERPRISE, ERROR, GROUP, patchOf, type ScimUser, USER } from "#test/directory.ts";
import { beginRequests, leaveWhileLocked } from "#test/leaving.ts";
import { start } from "#test/start.ts";
import { learners } from "#shared/learners/learners.ts";
import { MAX_SCIM_KEYS, provisioning, SCIM_PATH, SCIM_REQUESTS_PER_MINUTE } from "#shared/provisioning/provisioning.ts";

// RFC 7643 and 7644 where a request is at the edge of what can be done

const server = await start();
const { app, as, db } = server;
const { company } = createDirectories(server);
const room = await company();
const { admin, call, create, done, find, key, patch, read } = room;
const people = async () => (await done<{ totalResults: number }>("GET", "/Users?count=0")).totalResults;
const wide = (length: number) =>
  Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(Math.random() * 40_000))).join("");

test.each(["attributes=id&excludedAttributes=name", "count=x", "sortOrder=up"])(
  "a change with the wrong query %s changes nothing",
  async (query) => {
    const before = await people();
    const { id } = await create({ userName: `query-${query}` });
    const group = await done<ScimUser>("POST", "/Groups", { schemas: [GROUP], displayName: `Group ${query}` });
    const bodies: [Parameters<typeof call>[0], string, object][] = [
      ["POST", "/Users", { schemas: [USER], userName: `new-${query}` }],
      ["PUT", `/Users/${id}`, { schemas: [USER], userName: `put-${query}` }],
      ["PATCH", `/Users/${id}`, patchOf({ op: "add", path: "title", value: "Changed" })],
      ["POST", "/Groups", { schemas: [GROUP], displayName: `New ${query}` }],
      ["PUT", `/Groups/${group.id}`, { schemas: [GROUP], displayName: `Put ${query}` }],
      ["PATCH", `/Groups/${group.id}`, patchOf({ op: "replace", path: "displayName", value: `Patch ${query}` })],
    ];
    for (const [method, path, body] of bodies)
      expect([method, path, (await call(method, `${path}?${query}`, body)).status]).toEqual([method, path, 400]);
    expect(await people()).toBe(before + 1);
    expect(await read(id)).not.toHaveProperty("title");
    expect(await find(`displayName ew "${query}"`, "Groups")).toMatchObject({ totalResults: 1 });
  },
);

test("texts that no index could hold are refused, others kept", async () => {
  const { id } = await create({ userName: `wide-${wide(100)}`, externalId: wide(200) });
  const group = await done<ScimUser>("POST", "/Groups", {
    schemas: [GROUP],
    displayName: wide(60),
    externalId: wide(200),
  });
  for (const [method, path, body] of [
    ["POST", "/Users", { schemas: [USER], userName: "w", externalId: wide(450) }],
    ["PATCH", `/Users/${id}`, patchOf({ op: "add", value: { externalId: wide(450) } })],
    ["POST", "/Groups", { schemas: [GROUP], displayName: "w", externalId: wide(450) }],
    ["PATCH", `/Groups/${group.id}`, patchOf({ op: "replace", path: "externalId", value: wide(450) })],
  ] as const)
    expect([path, await call(method, path, body)]).toMatchObject([
      path,
      { status: 400, body: { scimType: "invalidValue" } },
    ]);
  const named = await create({ userName: "n".repeat(254) });
  expect(String(named.displayName)).toHaveLength(120);
});

test.each([
  ["GET", `/Users/${"a".repeat(5000)}`, 404],
  ["GET", "/Users/%zz", 404],
  ["GET", "/Users/%00", 404],
  ["GET", "/%ff%fe", 404],
  ["GET", "/Users?filter=%zz", 400],
] as const)("%s %s is answered in the format of SCIM", async (method, path, status) => {
  const reply = await call(method, path);
  expect(reply.headers["content-type"]).toMatch(/^application\/scim\+json/);
  expect([reply.status, reply.body]).toMatchObject([status, { schemas: [ERROR], status: String(status) }]);
});

test.each([
  ["no type", undefined, 201],
  ["a type of another kind", "multipart/form-data; boundary=x", 415],
  ["a type that is none", "x", 415],
] as const)("a body with %s is answered in the format of SCIM", async (name, type, status) => {
  const reply = await app.inject({
    method: "POST",
    url: `${SCIM_PATH}/Users`,
    headers: { authorization: `Bearer ${key.key}`, ...(type && { "content-type": type }) },
    payload: Buffer.from(JSON.stringify({ schemas: [USER], userName: name })),
  });
  expect([reply.statusCode, reply.headers["content-type"]]).toEqual([status, "application/scim+json; charset=utf-8"]);
});

test("unknown attributes are ignored without a path, and refused in one", async () => {
  const { id } = await create({ userName: "unknown" });
  const urn = "urn:okta:custom:user:1.0:User";
  const value = {
    title: "Pilot",
    shoeSize: 42,
    [urn]: { badge: "1" },
    "name.nothing": "x",
    [ENTERPRISE]: { pet: "cat" },
  };
  expect((await patch(id, { op: "replace", value })).title).toBe("Pilot");
  const reply = await call("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: "shoeSize", value: 42 }));
  expect([reply.status, reply.body]).toMatchObject([400, { scimType: "invalidPath" }]);
});

test("a suspension is a change of the person for directories that ask for changes", async () => {
  for (let at = 0; at < 30; at++) await create({ userName: `more-${at}` });
  const { id, meta } = await create({ userName: "changing" });
  const { lastModified } = (await patch(id, { op: "replace", path: "active", value: false })).meta as unknown as {
    lastModified: string;
  };
  expect(lastModified > (meta as unknown as { lastModified: string }).lastModified).toBe(true);
});

test("a user name that is another person's number is taken", async () => {
  const { rows } = await sql<{ id: string }>`
    insert into users (name, role, status, company_id)
    values ('Numbered', 'learner', 'invited', ${room.company.id})
    returning id`.execute(db);
  await sql`
    insert into personnel_numbers (user_id, company_id, number)
    values (${rows[0]?.id}, ${room.company.id}, 'N-77')`.execute(db);
  const reply = await call("POST", "/Users", { schemas: [USER], userName: "n-77" });
  expect([reply.status, reply.body]).toMatchObject([409, { scimType: "uniqueness" }]);
  const [found] = (await find('userName eq "n-77"')).Resources;
  expect(found?.id).toBe(rows[0]?.id);
});

test("an admin is neither seen nor changed, and their address is taken", async () => {
  const { id, email } = admin.user;
  for (const method of ["GET", "DELETE"] as const) expect((await call(method, `/Users/${id}`)).status).toBe(404);
  expect((await call("PATCH", `/Users/${id}`, patchOf({ op: "add", value: { active: false } }))).status).toBe(404);
  const person = await create({ userName: "with-address", emails: [{ value: "own@conformance.test", primary: true }] });
  const change = patchOf({ op: "replace", path: "emails", value: [{ value: email, primary: true }] });
  expect((await call("PATCH", `/Users/${person.id}`, change)).status).toBe(409);
  expect((await call("POST", "/Users", { schemas: [USER], userName: email })).status).toBe(409);
  expect((await read(person.id)).emails).toMatchObject([{ value: "own@conformance.test" }]);
  const { body } = await as(admin)(learners.list, { query: { companyId: room.company.id } });
  expect(body.items.some((one) => one.id === id)).toBe(false);
});

test("pages follow each other without gaps while people come", async () => {
  const of = await company();
  for (let at = 0; at < 12; at++) await of.create({ userName: `page-${at}` });
  const seen: string[] = [];
  for (let startIndex = 1; ; startIndex += 5) {
    const page = await of.done<{ totalResults: number; Resources: ScimUser[] }>(
      "GET",
      `/Users?startIndex=${startIndex}&count=5&attributes=userName`,
    );
    seen.push(...page.Resources.map(({ id }) => id));
    if (page.Resources.length < 5) break;
    if (startIndex === 1) await of.create({ userName: "late" });
  }
  expect(seen.length).toBe(14);
  expect(new Set(seen).size).toBe(14);
});

test("many keys at the same time stay within their number", async () => {
  const of = await company();
  const params = { id: of.company.id };
  const replies = await Promise.all(
    Array.from({ length: MAX_SCIM_KEYS + 5 }, (_, at) =>
      as(of.admin)(provisioning.createKey, { params, body: { name: `Key ${at}` } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(MAX_SCIM_KEYS - 1);
});

/** The beginning of a request with a key. */
const beginning = (path: string, rest: string) =>
  `POST ${SCIM_PATH}${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key.key}\r\n` +
  `content-type: application/scim+json\r\n${rest}`;
const announced = (count: number) =>
  Array.from({ length: count }, () => beginning("/Groups", "content-length: 4000000\r\n\r\n{"));
const statusOf = async (socket: Socket) => Number(String((await once(socket, "data"))[0]).slice(9, 12));
const padded = (displayName: string) => JSON.stringify({ schemas: [GROUP], displayName }) + " ".repeat(3_000_000);

test("a large body that is announced holds nobody else up", async () => {
  const other = await company();
  const open = await beginRequests(server, announced(12));
  let refused = 0;
  for (const socket of open) void statusOf(socket).then((status) => (refused += Number(status === 503)));
  // Four of them are as much as one company may hold.
  await expect.poll(() => refused, { timeout: 10_000 }).toBe(8);
  const send = async () => (await call("POST", "/Groups", " ".repeat(3_000_000))).status;
  expect(await send()).toBe(503);
  expect((await other.call("POST", "/Groups", padded("Padded"))).status).toBe(201);
  for (const socket of open) socket.destroy();
  await expect.poll(send, { timeout: 10_000 }).toBe(400);
});

test("a sender who leaves while the key is looked up holds no bytes", async () => {
  // As many connections as it takes are open already.
  await Promise.all(Array.from({ length: 5 }, people));
  await leaveWhileLocked(server, "provisioning_keys", announced(5));
  expect((await call("POST", "/Groups", padded("Still"))).status).toBe(201);
});

test("a person whose length is not announced counts as the longest one", async () => {
  const open = await beginRequests(
    server,
    Array.from({ length: 12 }, () => beginning("/Users", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n")),
  );
  for (let at = 0; at < 5; at++) await people();
  const statuses = open.map((socket, at) => {
    const rest = JSON.stringify({ schemas: [USER], userName: `chunked-${at}` }).slice(1);
    const status = statusOf(socket);
    socket.write(`${rest.length.toString(16)}\r\n${rest}\r\n0\r\n\r\n`);
    return status;
  });
  expect(await Promise.all(statuses)).toEqual(open.map(() => 201));
  for (const socket of open) socket.destroy();
});

test("beyond the rate of a key is 429 in the format of SCIM, with a time to wait", async () => {
  const of = await company();
  let reply = await of.call("GET", "/Nothing");
  for (let at = 0; at <= SCIM_REQUESTS_PER_MINUTE && reply.status !== 429; at += 50)
    [reply = reply] = await Promise.all(Array.from({ length: 50 }, () => of.call("GET", "/Nothing")));
  expect([reply.status, reply.body]).toMatchObject([429, { status: "429" }]);
  expect(Number(reply.headers["retry-after"])).toBeGreaterThan(0);
  expect((await call("GET", "/Users?count=1")).status).toBe(200);
}, 60_000);

test.each([
  ["PUT", "/Users", "GET, HEAD, POST"],
  ["DELETE", "/Users", "GET, HEAD, POST"],
  ["POST", "/Users/00000000-0000-4000-8000-000000000000", "GET, HEAD, PUT, PATCH, DELETE"],
  ["PATCH", "/Groups?count=1", "GET, HEAD, POST"],
  ["POST", "/Groups/x", "GET, HEAD, PUT, PATCH, DELETE"],
  ["POST", "/Schemas", "GET, HEAD"],
  ["DELETE", "/ResourceTypes/User", "GET, HEAD"],
  ["PUT", "/ServiceProviderConfig", "GET, HEAD"],
  ["GET", "/.search", "POST"],
] as const)("%s %s is 405 and names the methods of the address: %s", async (method, path, allow) => {
  const reply = await call(method, path, method === "GET" ? undefined : {});
  expect(reply.headers["content-type"]).toMatch(/^application\/scim\+json/);
  expect([reply.status, reply.headers.allow, reply.body]).toMatchObject([405, allow, { status: "405" }]);
});

test.each(["/Devices", "/Devices/1", "/Users/1/2", "/users", "/Groups/.search/x", "/ResourceTypes/Device"])(
  "%s is 404 in the format of SCIM, whatever the method",
  async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"] as const) {
      if (method !== "GET" && path === "/ResourceTypes/Device") continue;
      const reply = await call(method, path, method === "GET" ? undefined : {});
      expect([method, reply.status, reply.headers.allow, reply.body]).toMatchObject([
        method,
        404,
        undefined,
        { schemas: [ERROR], status: "404" },
      ]);
    }
  },
);
