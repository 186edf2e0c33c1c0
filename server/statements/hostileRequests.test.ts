import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { leaveWhileLocked } from "#test/leaving.ts";
import { createRecordClient, mixed, sha256 } from "#test/statements.ts";
import { statementOf } from "#test/statementOf.ts";
import { start } from "#test/start.ts";
import { RECORD_STORE_PATH, storeLimits } from "#shared/statements/statements.ts";

const server = await start();
const { company, call } = createRecordClient(server);
const { send, on, key } = await company();
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const withExtension = (json: string) =>
  JSON.stringify(statementOf({ context: { extensions: { "a:b": "HERE" } } })).replace('"HERE"', json);

test.each<[string, string, number]>([
  ["text that is no JSON", "{", 400],
  ["nothing", "", 400],
  ["a number", "1", 400],
  ["null", "null", 400],
  ["a deep extension", withExtension(nested(5000)), 400],
  ["many values", withExtension(`[${"1,".repeat(150_000)}1]`), 400],
  ["a NUL character", withExtension('"\\u0000"'), 400],
  ["half of a surrogate pair", withExtension('"\\ud800"'), 400],
  ["a member named __proto__", withExtension('{"__proto__":{"x":1}}'), 400],
  ["a huge number", withExtension("1e400"), 200],
  ["many statements", JSON.stringify(Array.from({ length: storeLimits.statements + 1 }, () => statementOf())), 413],
  ["a large body", withExtension(JSON.stringify("x".repeat(storeLimits.body))), 413],
])("answers %s below 500", async (_, body, expected) => {
  expect((await send(body)).statusCode).toBe(expected);
});

test("a key of a suspended company opens nothing", async () => {
  const other = await company();
  expect((await other.send(statementOf())).statusCode).toBe(200);
  await server.db.updateTable("companies").set({ status: "suspended" }).where("id", "=", other.company.id).execute();
  expect((await other.send(statementOf())).statusCode).toBe(401);
  expect((await other.on("/statements")).statusCode).toBe(401);
});

test("a content type that cannot be sent back is refused", async () => {
  const params = { activityId: "https://example.com/a", agent: JSON.stringify(statementOf().actor), stateId: "type" };
  const content = { content: "x", "X-Experience-API-Version": "1.0.3", Authorization: key.authorization, ...params };
  for (const type of ["text/plain\r\nx: y", "text/€", "application/json;\r\n"]) {
    const body = new URLSearchParams({ ...content, "Content-Type": type }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await server.app.inject({
      method: "POST",
      url: "/xapi/activities/state?method=PUT",
      headers,
      payload: body,
    });
    expect([type, reply.statusCode]).toEqual([type, 400]);
  }
});

test("wrong values in any place never fail the server", async () => {
  const values = [null, 0, -1, true, "", "\u{1F600}", [], {}, [null], { a: 1 }, "9".repeat(5000)];
  const keys = [
    "id",
    "actor",
    "verb",
    "object",
    "result",
    "context",
    "timestamp",
    "authority",
    "version",
    "attachments",
  ];
  for (const name of keys)
    for (const value of values) {
      const { statusCode } = await send({ ...statementOf(), [name]: value });
      expect([name, value, statusCode < 500]).toEqual([name, value, true]);
    }
  for (const path of [
    "/statements",
    "/activities/state",
    "/activities/profile",
    "/agents/profile",
    "/agents",
    "/activities",
  ])
    for (const name of [
      "statementId",
      "agent",
      "activityId",
      "activity",
      "since",
      "until",
      "registration",
      "more",
      "limit",
    ])
      for (const value of ["", "x", "\0", "{}", "[]", "null", '{"mbox":1}', "9".repeat(5000), "..."]) {
        const { statusCode } = await on(path, { params: { [name]: value } });
        expect([path, name, value, statusCode < 500]).toEqual([path, name, value, true]);
      }
});

test("a broken multipart body is refused", async () => {
  const sent = statementOf();
  const hash = sha256("x");
  const good = mixed(sent, []);
  const bodies = [
    "",
    "--",
    "--boundary-of-the-test",
    good.body.subarray(0, -6),
    mixed(sent, [{ hash, bytes: "x" }]).body,
  ];
  for (const body of bodies) {
    const { statusCode } = await send(Buffer.from(body), { headers: good.headers });
    expect(statusCode).toBe(400);
  }
  expect((await send(good.body, { headers: { "content-type": "multipart/mixed" } })).statusCode).toBe(400);
});

test("unknown callers are refused before their body is read, without a password prompt", async () => {
  const refusals = [
    await call("", "/statements", { method: "POST", body: "{" }),
    await call("Basic !!!", "/statements", { method: "POST", body: "{" }),
    await call(`Basic ${Buffer.from("a:b").toString("base64")}`, "/statements"),
    await call(key.authorization.replace("Basic", "Bearer"), "/statements"),
  ];
  for (const { statusCode, headers } of refusals) {
    expect(statusCode).toBe(401);
    expect(headers).not.toHaveProperty("www-authenticate");
  }
});

test("a sender who leaves while the key is looked up holds no bytes", async () => {
  const announced =
    `POST ${RECORD_STORE_PATH}/statements HTTP/1.1\r\nhost: localhost\r\nauthorization: ${key.authorization}\r\n` +
    `x-experience-api-version: 1.0.3\r\ncontent-type: application/json\r\ncontent-length: ${storeLimits.multipart}` +
    "\r\n\r\n{";
  // As many connections as it takes are open already.
  await Promise.all(Array.from({ length: 6 }, () => on("/statements")));
  await leaveWhileLocked(
    server,
    "statement_clients",
    Array.from({ length: 6 }, () => announced),
  );
  expect((await send(statementOf())).statusCode).toBe(200);
});

test("the content origin refuses keys and accepts only launches", async () => {
  const headers = { authorization: key.authorization, "x-experience-api-version": "1.0.3" };
  const { statusCode } = await server.content.inject({ url: "/xapi/statements", headers });
  expect(statusCode).toBe(401);
});

test("pages of other origins may call with a key, but not with cookies", async () => {
  const asked = await on("/statements", { method: "OPTIONS", headers: { origin: "https://tool.example" } });
  expect([asked.statusCode, asked.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
  expect(asked.headers["access-control-allow-headers"]).toContain("Authorization");
  expect(asked.headers).not.toHaveProperty("access-control-allow-credentials");
});

test("a page of long statements ends early, and the next page continues", async () => {
  const verb = { id: `https://example.com/${randomUUID()}` };
  const long = () => statementOf({ verb, result: { response: "x".repeat(450_000) } });
  for (let round = 0; round < 3; round++) await send([long(), long(), long(), long(), long(), long(), long(), long()]);
  const first = await on("/statements", { params: { verb: verb.id } });
  const { statements, more } = first.json<{ statements: unknown[]; more: string }>();
  expect(Buffer.byteLength(first.body)).toBeLessThan(storeLimits.pageBytes + storeLimits.statement);
  const cursor = new URLSearchParams(more.split("?")[1]).get("more") as string;
  const rest = (await on("/statements", { params: { more: cursor } })).json<{ statements: unknown[] }>();
  expect(statements.length + rest.statements.length).toBe(24);
});
