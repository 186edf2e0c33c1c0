import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listContracts } from "#server/endpoints.ts";
import { apiKeys, type ApiKeyInput, KEY_REQUESTS_PER_MINUTE } from "#shared/apiKeys/apiKeys.ts";
import { audit } from "#shared/audit/audit.ts";
import { learners } from "#shared/learners/learners.ts";
import { keyScope } from "#shared/core/users.ts";
import { variables } from "#shared/variables/variables.ts";
import { limitToCompany } from "#test/companyAdmins.ts";
import { ENDLESS_STREAMS } from "#test/operations.ts";
import { type Person, start } from "#test/start.ts";
import { createValueMaker } from "#test/values.ts";

const server = await start();
const { app, as, db } = server;
const { createGroup, define, folded } = createValueMaker(server);

const createKey = async (admin: Person, input: Partial<ApiKeyInput> = {}) => {
  const reply = await as(admin)(apiKeys.create, { body: { name: "Reporting", scopes: ["values:read"], ...input } });
  expect(reply.status).toBe(200);
  return reply.body;
};
const send = (key: string, url: string, options: { method?: "GET" | "POST"; body?: object; origin?: string } = {}) =>
  app.inject({
    method: options.method ?? "GET",
    url,
    headers: { authorization: `Bearer ${key}`, ...(options.origin && { origin: options.origin }) },
    ...(options.body && { payload: options.body }),
  });

test("a key may call only endpoints that name one of its scopes", async () => {
  const { admin } = await createGroup(1);
  const { key } = await createKey(admin, { scopes: keyScope.options });
  const open = [];
  for (const contract of listContracts().filter(({ path }) => !ENDLESS_STREAMS.includes(path))) {
    const url = contract.path.replace(/:\w+/g, randomUUID());
    const { statusCode, json } = await app.inject({
      method: contract.method,
      url,
      headers: { authorization: `Bearer ${key}` },
      ...(contract.method !== "GET" && { payload: {} }),
    });
    if (contract.keyScope) open.push(url);
    else expect([url, statusCode, json<{ code: string }>().code]).toEqual([url, 403, "apiKeys.scope"]);
  }
  expect(open.length).toBeGreaterThan(8);
  const { key: narrow } = await createKey(admin, { scopes: ["learners:read"] });
  expect((await send(narrow, learners.list.path)).statusCode).toBe(200);
  expect((await send(narrow, variables.list.path)).statusCode).toBe(403);
});

test("a key of one company sees and changes nothing of another", async () => {
  const [mine, other] = [await createGroup(1), await createGroup(1)];
  const { key } = await createKey(mine.admin, {
    companyId: mine.company.id,
    scopes: ["learners:read", "values:read", "values:write"],
  });
  const { items } = (await send(key, learners.list.path)).json<{ items: { companyId: string }[] }>();
  expect(new Set(items.map(({ companyId }) => companyId))).toEqual(new Set([mine.company.id]));
  const variable = await define(mine.admin, { key: "key_scope" });
  const body = (userId: string) => ({ values: [{ id: randomUUID(), variableId: variable.id, userId, value: 1 }] });
  const write = (userId: string) => send(key, variables.sendValues.path, { method: "POST", body: body(userId) });
  expect((await write(mine.learners[0]?.user.id as string)).statusCode).toBe(200);
  expect((await write(other.learners[0]?.user.id as string)).statusCode).toBe(404);
});

test("a key of an admin of one company sees only that company, even after a move", async () => {
  const [mine, other] = [await createGroup(1), await createGroup(1)];
  const move = (companyId: string | null) => limitToCompany(db, mine.admin, companyId);
  const companiesSeen = async (key: string) => {
    const reply = await send(key, learners.list.path);
    const items = reply.json<{ items?: { companyId: string }[] }>().items ?? [];
    return [reply.statusCode, [...new Set(items.map(({ companyId }) => companyId))]];
  };
  const wide = await createKey(mine.admin, { scopes: ["learners:read"] });
  await move(mine.company.id);
  const { key, companyId } = await createKey(mine.admin, { scopes: ["learners:read"] });
  expect(companyId).toBe(mine.company.id);
  for (const one of [key, wide.key]) expect(await companiesSeen(one)).toEqual([200, [mine.company.id]]);
  await move(other.company.id);
  expect(await companiesSeen(key)).toEqual([401, []]);
  await move(null);
  expect(await companiesSeen(key)).toEqual([200, [mine.company.id]]);
});

test("a value that is sent twice is stored once, a refused one with its reason", async () => {
  const { admin, learners: people } = await createGroup(1);
  const variable = await define(admin, { key: "key_values", writeMode: "sum", constraints: { max: 10 } });
  const { key, prefix } = await createKey(admin, { scopes: ["values:write", "values:read"] });
  const userId = people[0]?.user.id as string;
  const [good, bad] = [randomUUID(), randomUUID()];
  const body = {
    values: [
      { id: good, variableId: variable.id, userId, value: 4, happenedAt: "2026-03-29T01:30:00+01:00" },
      { id: bad, variableId: variable.id, userId, value: 11 },
    ],
  };
  const once = await send(key, variables.sendValues.path, { method: "POST", body });
  expect(once.json()).toEqual({
    items: [
      { id: good, stored: true, refusal: null },
      { id: bad, stored: true, refusal: "aboveMax" },
    ],
  });
  const again = await send(key, variables.sendValues.path, { method: "POST", body });
  expect(again.json<{ items: { stored: boolean }[] }>().items.map(({ stored }) => stored)).toEqual([false, false]);
  await folded();
  const { items } = (await send(key, `/api/variables/${variable.id}/values`)).json<{ items: { current: number }[] }>();
  expect(items).toMatchObject([{ current: 4 }]);
  const entries = (await as(admin)(audit.list, { query: { size: 5 } })).body.items;
  expect(entries.find(({ action }) => action === "variables.receive")?.details).toMatchObject({ apiKey: prefix });
});

test("a key ends when it is revoked, expired, or its admin is suspended or gone", async () => {
  const { admin } = await createGroup(1);
  const call = (key: string) => send(key, variables.list.path).then(({ statusCode }) => statusCode);
  const revoked = await createKey(admin);
  expect(await call(revoked.key)).toBe(200);
  expect((await as(admin)(apiKeys.revoke, { params: { id: revoked.id } })).body.status).toBe("revoked");
  expect(await call(revoked.key)).toBe(401);
  const expired = await createKey(admin);
  await db
    .updateTable("apiKeys")
    .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
    .where("id", "=", expired.id)
    .execute();
  expect(await call(expired.key)).toBe(401);
  const orphan = await createKey(admin);
  await db.updateTable("users").set({ status: "suspended" }).where("id", "=", admin.user.id).execute();
  expect(await call(orphan.key)).toBe(401);
});

test("a key is shown once and stored as a hash; its use is shown", async () => {
  const { admin } = await createGroup(1);
  const created = await createKey(admin, { name: "Once" });
  expect(created).toMatchObject({ lastUsedAt: null, status: "active" });
  await send(created.key, variables.list.path);
  const listed = (await as(admin)(apiKeys.list, { query: { q: "Once" } })).body.items[0];
  expect(listed?.lastUsedAt).not.toBeNull();
  expect(JSON.stringify(listed)).not.toContain(created.key);
  const { rows } = await server.services.pool.query<{ row: string }>("select k::text as row from api_keys k");
  expect(rows.some(({ row }) => row.includes(created.key))).toBe(false);
});

test("states its rate limit and refuses web pages of other origins", async () => {
  const { admin } = await createGroup(1);
  const { key } = await createKey(admin);
  const reply = await send(key, variables.list.path);
  expect(reply.headers["ratelimit-limit"]).toBe(String(KEY_REQUESTS_PER_MINUTE));
  expect(Number(reply.headers["ratelimit-remaining"])).toBe(KEY_REQUESTS_PER_MINUTE - 1);
  const foreign = await send(key, variables.list.path, { origin: "https://evil.example" });
  expect([foreign.statusCode, foreign.json<{ code: string }>().code]).toEqual([403, "apiKeys.fromBrowser"]);
  for (let more = 0; more < KEY_REQUESTS_PER_MINUTE; more++) await send(key, "/api/variables?size=1");
  const over = await send(key, variables.list.path);
  expect([over.statusCode, Number(over.headers["retry-after"]) > 0]).toEqual([429, true]);
}, 60_000);

test("a value that is sent twice in one request is stored once, and says so", async () => {
  const { admin, learners: people } = await createGroup(1);
  const variable = await define(admin, { key: "key_twice", writeMode: "sum" });
  const { key } = await createKey(admin, { scopes: ["values:write"] });
  const value = { id: randomUUID(), variableId: variable.id, userId: people[0]?.user.id, value: 4 };
  const reply = await send(key, variables.sendValues.path, { method: "POST", body: { values: [value, value] } });
  expect(reply.json<{ items: { stored: boolean }[] }>().items.map(({ stored }) => stored)).toEqual([true, false]);
});

test("a refused value that is sent again gets its reason, even if acceptable now", async () => {
  const { admin, learners: people } = await createGroup(1);
  const variable = await define(admin, { key: "key_refused", constraints: { max: 10 } });
  const { key } = await createKey(admin, { scopes: ["values:write"] });
  const value = { id: randomUUID(), variableId: variable.id, userId: people[0]?.user.id, value: 11 };
  const sendIt = async () =>
    (await send(key, variables.sendValues.path, { method: "POST", body: { values: [value] } })).json<object>();
  expect(await sendIt()).toEqual({ items: [{ id: value.id, stored: true, refusal: "aboveMax" }] });
  await as(admin)(variables.update, {
    params: { id: variable.id },
    body: { version: variable.version, constraints: { max: 20 } },
  });
  expect(await sendIt()).toEqual({ items: [{ id: value.id, stored: false, refusal: "aboveMax" }] });
});

test("systems of two companies may give their values the same ids", async () => {
  const groups = [await createGroup(1), await createGroup(1)];
  const variable = await define(groups[0]?.admin as Person, { key: "key_ids" });
  const id = randomUUID();
  for (const { admin, company, learners: people } of groups) {
    const { key } = await createKey(admin, { scopes: ["values:write"], companyId: company.id });
    const body = { values: [{ id, variableId: variable.id, userId: people[0]?.user.id, value: 4 }] };
    const reply = await send(key, variables.sendValues.path, { method: "POST", body });
    expect(reply.json()).toEqual({ items: [{ id, stored: true, refusal: null }] });
  }
});

test("states why a value of an attempt cannot be sent", async () => {
  const { admin, learners: people, course } = await createGroup(1);
  const variable = await define(admin, { key: "key_attempt", scope: "attempt" });
  const { key } = await createKey(admin, { scopes: ["values:write"] });
  const userId = people[0]?.user.id;
  const body = { values: [{ id: randomUUID(), variableId: variable.id, userId, courseId: course.id, value: 4 }] };
  const reply = await send(key, variables.sendValues.path, { method: "POST", body });
  expect(reply.json()).toMatchObject({ issues: [{ path: "values.0.variableId", code: "variables.needsAttempt" }] });
});
