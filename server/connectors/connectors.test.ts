import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { complete, streamCompletion } from "#server/connectors/gateway.ts";
import type { GatewayCall } from "#server/connectors/gatewayCall.ts";
import { BUILTIN_ID, connectors } from "#shared/connectors/connectors.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { dumpText } from "#test/dump.ts";
import { start } from "#test/start.ts";

const log: string[] = [];
const { as, make, services, db } = await start({ PRIVATE_HOSTS: "127.0.0.1" }, (line) => log.push(line));
const admin = await make.admin();
const boss = as(admin);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
beforeEach(() => {
  provider.always({});
  provider.expectKey(provider.key);
});

const input = (extra: object = {}) => ({
  name: "Stand-in",
  kind: "openai" as const,
  baseUrl: provider.url,
  apiKey: provider.key,
  models: [{ id: "stand-in-large" }],
  ...extra,
});
const create = async (extra: object = {}) => (await boss(connectors.create, { body: input(extra) })).body;
const runTest = async (id: string) => (await boss(connectors.test, { params: { id }, body: {} })).body;
const ask = (connectorId: string, extra: Partial<GatewayCall> = {}): GatewayCall => ({
  purpose: "prompt",
  connectorId,
  companyId: null,
  // 100 tokens by estimate: 400 characters.
  messages: [{ role: "user", content: "a".repeat(400) }],
  maxOutputTokens: 450,
  ...extra,
});
test("the test of the built-in connection says what keeps it from answering", async () => {
  const setBudget = async (monthlyBudget: number | null) => {
    const { currency, limitText } = (await boss(connectors.spending)).body;
    await boss(connectors.setSpending, { body: { currency, limitText, monthlyBudget } });
  };
  await setBudget(0);
  expect((await runTest(BUILTIN_ID)).lastTest).toMatchObject({ code: "budget", chat: "fails", streaming: "untried" });
  await setBudget(null);
  expect((await runTest(BUILTIN_ID)).lastTest).toMatchObject({ code: null, chat: "works", usage: "untried" });
});

test("a test says nothing about a connection that somebody changes meanwhile", async () => {
  const made = await create({ firstTokenTimeoutMs: 1000 });
  const before = provider.chats().length;
  provider.next({ hangs: true });
  const testing = boss(connectors.test, { params: { id: made.id }, body: {} });
  await expect.poll(() => provider.chats().length).toBe(before + 1);
  await boss(connectors.update, { params: { id: made.id }, body: { name: "Other", version: made.version } });
  expect(await testing).toMatchObject({ status: 409, code: "connectors.changedInTest" });
  expect((await boss(connectors.get, { params: { id: made.id } })).body).toMatchObject({
    state: "draft",
    lastTest: null,
  });
});

const codeOf = async (call: GatewayCall) => {
  for await (const event of streamCompletion(services, call)) {
    if (event.type === "error") return event.code;
    if (event.type === "start" && event.connector.isBuiltin) return "quoted";
  }
  return "answered";
};

test("has the built-in connector from the start, which cannot be changed", async () => {
  const { items } = (await boss(connectors.list)).body;
  expect(items[0]).toMatchObject({ id: BUILTIN_ID, kind: "builtin", state: "active", keyHint: null });
  const change = { params: { id: BUILTIN_ID }, body: { name: "Mine", version: 1 } };
  expect((await boss(connectors.update, change)).code).toBe("connectors.builtin");
  const tested = await runTest(BUILTIN_ID);
  expect(tested.lastTest).toMatchObject({ code: null, chat: "works" });
});

test("becomes active by a test, which says what works and how fast", async () => {
  const made = await create({
    models: [{ id: "stand-in-large" }, { id: "stand-in-vectors", use: "embedding" }],
  });
  expect(made).toMatchObject({ state: "draft", keyHint: "abcd", lastTest: null });
  const tested = await runTest(made.id);
  expect(tested).toMatchObject({
    state: "active",
    lastTest: {
      code: null,
      chat: "works",
      streaming: "works",
      tools: "works",
      structured: "works",
      embeddings: "works",
      usage: "works",
      firstTokenMs: expect.any(Number),
    },
  });
});

test("says in a test what does not work", async () => {
  const made = await create();
  provider.always({ noTools: true, structured: "no JSON", noUsage: true, text: ["all at once"] });
  expect((await runTest(made.id)).lastTest).toMatchObject({
    code: null,
    streaming: "fails",
    tools: "fails",
    structured: "fails",
    usage: "fails",
    embeddings: "untried",
  });
});

test("stays a draft with a wrong key, and works with the right one", async () => {
  const made = await create({ apiKey: "sk-wrong-key-0987654321zyxw" });
  const failed = await runTest(made.id);
  expect(failed).toMatchObject({
    state: "draft",
    lastErrorCode: "bad_key",
    lastTest: { code: "bad_key", tools: "untried" },
  });
  const body = { apiKey: provider.key, version: failed.version };
  const changed = (await boss(connectors.update, { params: { id: made.id }, body })).body;
  expect(changed).toMatchObject({ keyHint: "abcd", lastErrorCode: null });
  expect((await runTest(made.id)).state).toBe("active");
});

test("removes the key when the address or the kind changes", async () => {
  const made = await connect(boss, provider);
  for (const change of [{ baseUrl: "https://elsewhere.example.com/v1" }, { kind: "anthropic" as const }]) {
    const again = await connect(boss, provider);
    const body = { ...change, version: again.version };
    const moved = (await boss(connectors.update, { params: { id: again.id }, body })).body;
    expect(moved).toMatchObject({ keyHint: null, state: "draft", lastTest: null });
  }
  const kept = (
    await boss(connectors.update, { params: { id: made.id }, body: { name: "Renamed", version: made.version } })
  ).body;
  expect(kept).toMatchObject({ keyHint: "abcd", state: "active" });
});

test("keeps keys out of replies, logs, errors and the database", async () => {
  const secret = `sk-secret-${randomUUID()}`;
  const made = await create({ apiKey: secret });
  const replies = [made, await runTest(made.id), (await boss(connectors.list)).body];
  replies.push((await boss(connectors.models, { params: { id: made.id } })).body as never);
  await complete(services, ask(made.id)).catch((error: unknown) => replies.push(error as never));
  const texts = [JSON.stringify(replies), log.join("\n"), await dumpText(services)];
  // The stand-in provider repeats the key in its refusal.
  expect(provider.requests.some(({ headers }) => headers.authorization?.includes(secret))).toBe(true);
  for (const text of texts) expect(text).not.toContain(secret);
});

test("cannot read a key that was copied to another row", async () => {
  const one = await connect(boss, provider);
  const other = await create({ baseUrl: `${provider.url}/`, apiKey: "" });
  const { apiKey } = await db
    .selectFrom("connectors")
    .where("id", "=", one.id)
    .select("apiKey")
    .executeTakeFirstOrThrow();
  await db.updateTable("connectors").set({ apiKey, status: "active" }).where("id", "=", other.id).execute();
  const before = provider.requests.length;
  expect(await codeOf(ask(other.id))).toBe("no_key");
  expect(provider.requests).toHaveLength(before);
});

test.each([
  "http://169.254.169.254/latest",
  "https://10.0.0.1/v1",
  "https://localhost/v1",
  "https://[::ffff:127.0.0.1]/v1",
  "https://10.1/v1",
  "http://example.com/v1",
])("refuses the address %s when it is saved, and when it is called", async (baseUrl) => {
  // Only 127.0.0.1, in this notation, is on the list of private hosts.
  const code = baseUrl.includes("example.com") ? "core.needsHttps" : "core.privateAddress";
  const issues = [{ path: "baseUrl", code }];
  const body = { name: "Inside", kind: "openai" as const, baseUrl };
  expect((await boss(connectors.create, { body })).body).toMatchObject({ issues });
  const { id, version } = await create();
  const changed = await boss(connectors.update, { params: { id }, body: { version, baseUrl } });
  expect([changed.status, changed.body]).toMatchObject([422, { issues }]);
  // As if the name resolved to another address, or the operator had removed it from the list.
  await db.updateTable("connectors").set({ baseUrl }).where("id", "=", id).execute();
  expect((await runTest(id)).lastTest?.code).toBe("blocked_address");
  const renamed = await boss(connectors.update, { params: { id }, body: { version, baseUrl, name: "Renamed" } });
  expect([renamed.status, renamed.code]).not.toContain("core.invalid");
});

test("saves the address of a name that cannot be resolved at the moment", async () => {
  expect((await create({ baseUrl: "https://no-such-host.invalid/v1" })).baseUrl).toContain("no-such-host.invalid");
});

test("reads the models of the provider", async () => {
  const made = await create();
  const { body } = await boss(connectors.models, { params: { id: made.id } });
  expect(body).toEqual({ items: [{ id: "stand-in-large" }, { id: "stand-in-small" }], code: null });
  provider.expectKey("another");
  expect((await boss(connectors.models, { params: { id: made.id } })).body).toEqual({ items: [], code: "bad_key" });
});

test("deletes a connector that was never called, and archives the others", async () => {
  const unused = await create();
  expect((await boss(connectors.remove, { params: { id: unused.id } })).status).toBe(204);
  const used = await connect(boss, provider);
  expect((await boss(connectors.remove, { params: { id: used.id } })).code).toBe("connectors.used");
  await boss(connectors.setStatus, { params: { id: used.id }, body: { status: "archived" } });
  expect((await boss(connectors.list)).body.items.map(({ id }) => id)).not.toContain(used.id);
  expect(await codeOf(ask(used.id))).toBe("disabled");
});

test("the built-in connector answers until the test of the default one has passed", async () => {
  provider.expectKey("another");
  const { id } = await create({ isDefault: true });
  expect((await runTest(id)).lastTest?.code).not.toBeNull();
  provider.expectKey(provider.key);
  const call = () => complete(services, { ...ask(""), connectorId: null });
  expect((await call()).connector.isBuiltin).toBe(true);
  await runTest(id);
  expect((await call()).connector.id).toBe(id);
});

test("refuses a change that is based on an older version", async () => {
  const made = await create();
  const change = () =>
    boss(connectors.update, { params: { id: made.id }, body: { name: "New", version: made.version } });
  expect((await change()).status).toBe(200);
  expect((await change()).code).toBe("core.conflict");
});

test("has one default connector, which answers calls that name none", async () => {
  const one = await connect(boss, provider, { isDefault: true });
  const other = await connect(boss, provider, { isDefault: true });
  const { items } = (await boss(connectors.list)).body;
  expect(items.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([other.id]);
  expect((await complete(services, { ...ask(""), connectorId: null })).connector.id).toBe(other.id);
  expect(one.id).not.toBe(other.id);
});
