import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createRecordClient } from "#test/statements.ts";
import { start } from "#test/start.ts";

const server = await start();
const { company } = createRecordClient(server);
const own = await company();
const { on } = own;
const newState = () => ({
  activityId: `https://example.com/${randomUUID()}`,
  agent: JSON.stringify({ mbox: `mailto:${randomUUID()}@example.com` }),
  stateId: "bookmark",
});

test("a state is stored, read, extended and deleted", async () => {
  const params = newState();
  const put = await on("/activities/state", { method: "PUT", params, body: { page: 1, note: null } });
  expect(put.statusCode).toBe(204);
  expect((await on("/activities/state", { method: "POST", params, body: { seen: true } })).statusCode).toBe(204);
  const read = await on("/activities/state", { params });
  expect(read.json()).toEqual({ page: 1, note: null, seen: true });
  expect(read.headers["last-modified"]).toMatch(/GMT$/);
  const { stateId, ...all } = params;
  expect((await on("/activities/state", { params: all })).json()).toEqual([stateId]);
  expect((await on("/activities/state", { method: "DELETE", params: all })).statusCode).toBe(204);
  expect((await on("/activities/state", { params })).statusCode).toBe(404);
});

test("a stored document never runs as a page of this origin", async () => {
  const params = newState();
  const headers = { "content-type": "text/html" };
  await on("/activities/state", { method: "PUT", params, body: "<script>alert(1)</script>", headers });
  const read = await on("/activities/state", { params });
  expect([read.headers["content-type"], read.headers["content-security-policy"]]).toEqual([
    "text/html",
    "default-src 'none'; sandbox",
  ]);
});

test("of several writers with the same ETag, one succeeds and the others are refused", async () => {
  const params = { activityId: `https://example.com/${randomUUID()}`, profileId: "settings" };
  const path = "/activities/profile";
  const put = (body: object, headers?: Record<string, string>) =>
    on(path, { method: "PUT", params, body, ...(headers && { headers }) });
  expect((await put({ n: 0 })).statusCode).toBe(400);
  const first = await Promise.all([1, 2, 3, 4].map((n) => put({ n }, { "if-none-match": "*" })));
  expect(first.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 412, 412, 412]);
  const { etag } = (await on(path, { params })).headers as { etag: string };
  expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
  const next = await Promise.all([5, 6, 7, 8].map((n) => put({ n }, { "if-match": etag })));
  expect(next.map(({ statusCode }) => statusCode).toSorted()).toEqual([204, 412, 412, 412]);
  expect((await put({ n: 9 })).statusCode).toBe(409);
});

test("version 2.0 replaces a state only with a condition", async () => {
  const params = newState();
  const put = (version: string) => on("/activities/state", { method: "PUT", params, body: {}, version });
  expect((await put("2.0.0")).statusCode).toBe(204);
  expect((await put("2.0.0")).statusCode).toBe(409);
  expect((await put("1.0.3")).statusCode).toBe(204);
});

test("documents are separate for each company and registration", async () => {
  const other = await company();
  const params = newState();
  await on("/activities/state", { method: "PUT", params, body: { of: "own" } });
  await on("/activities/state", {
    method: "PUT",
    params: { ...params, registration: randomUUID() },
    body: { of: "run" },
  });
  expect((await other.on("/activities/state", { params })).statusCode).toBe(404);
  expect((await on("/activities/state", { params })).json()).toEqual({ of: "own" });
});

test("profiles of agents, persons and the versions of the store can be read", async () => {
  const agent = JSON.stringify({ name: "Ada", mbox: `mailto:${randomUUID()}@example.com` });
  const params = { agent, profileId: "preferences" };
  await on("/agents/profile", { method: "POST", params, body: { language: "de" } });
  expect((await on("/agents/profile", { params })).json()).toEqual({ language: "de" });
  expect((await on("/agents", { params: { agent } })).json()).toMatchObject({ objectType: "Person", name: ["Ada"] });
  const about = await server.app.inject({ url: "/xapi/about" });
  expect(about.json<{ version: string[] }>().version).toContain("2.0.0");
});

test("a request in the alternate syntax does the same, with credentials in the form", async () => {
  const params = newState();
  const form = (fields: Record<string, string>, method: string, url = "/xapi/activities/state") =>
    server.app.inject({
      method: "POST",
      url: `${url}?method=${method}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({ "X-Experience-API-Version": "1.0.3", ...fields }).toString(),
    });
  const { authorization: Authorization } = own.key;
  const put = await form({ ...params, Authorization, content: '{"page":2}' }, "PUT");
  expect([put.statusCode, put.body]).toEqual([204, ""]);
  expect((await form({ ...params, Authorization }, "GET")).json()).toEqual({ page: 2 });
  expect((await form({ ...params, Authorization: "Basic eDp5" }, "GET")).statusCode).toBe(401);
  expect((await form({ ...params, Authorization }, "PUT")).statusCode).toBe(400);
});
