import { afterAll, beforeEach, expect, test } from "vitest";
import { settleLostCalls } from "#server/connectors/budgets.ts";
import { complete, streamCompletion } from "#server/connectors/gateway.ts";
import type { GatewayCall } from "#server/connectors/gatewayCall.ts";
import { audit } from "#shared/audit/audit.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const { as, make, services, db } = await start();
const admin = await make.admin();
const boss = as(admin);
const provider = await startProvider("openai");
afterAll(() => provider.stop());
beforeEach(() => {
  provider.always({});
  provider.expectKey(provider.key);
});

const ask = (connectorId: string, extra: Partial<GatewayCall> = {}): GatewayCall => ({
  purpose: "prompt",
  connectorId,
  companyId: null,
  // 100 tokens.
  messages: [{ role: "user", content: "one".concat(" one".repeat(99)) }],
  maxOutputTokens: 450,
  ...extra,
});
/** Reserved for a call by `ask` with the prices of `connect`: (1.5 × 100 + 200) × 1 + 1.25 × 450 × 2 millionths. */
const MOST = 0.001476;
const codeOf = async (call: GatewayCall) => {
  for await (const event of streamCompletion(services, call)) {
    if (event.type === "error") return event.code;
    if (event.type === "start" && event.connector.isBuiltin) return "quoted";
  }
  return "answered";
};

test("lets one of fifty calls pass when the budget is for one", async () => {
  const connector = await connect(boss, provider, { maxConcurrent: 100 });
  await db
    .updateTable("aiBudgets")
    .set({ spentMicros: 0, limitMicros: MOST * 1e6 })
    .where("ownerId", "=", connector.id)
    .execute();
  const before = provider.chats().length;
  provider.always({ firstDelay: 100 });
  const codes = await Promise.all(Array.from({ length: 50 }, () => codeOf(ask(connector.id))));
  expect(codes.filter((code) => code === "answered")).toHaveLength(1);
  expect(codes.filter((code) => code === "budget")).toHaveLength(49);
  expect(provider.chats().length - before).toBe(1);
  const { budget } = (await boss(connectors.get, { params: { id: connector.id } })).body;
  expect(budget).toMatchObject({ reserved: 0, spent: 0.00006 });
});

test("quotes from 95 % of a budget on, and gives the admin's text at 100 %", async () => {
  const connector = await connect(boss, provider);
  const company = await make.company(admin);
  const setSpent = (share: number) =>
    db
      .updateTable("aiBudgets")
      .set({ spentMicros: share * 1e6 })
      .where("ownerId", "=", company.id)
      .execute();
  await boss(connectors.setCompanyBudget, { body: { companyId: company.id, monthlyBudget: 1 } });
  const current = (await boss(connectors.spending)).body;
  await boss(connectors.setSpending, {
    body: { currency: current.currency, monthlyBudget: null, limitText: "Ask Ada for more." },
  });
  const place = { documentId: "d", title: "", heading: null, page: null, score: 1 };
  const passage = { ...place, id: "p", text: "aaaa bbbb.", quotes: [{ start: 0, end: 10 }] };
  const messages: GatewayCall["messages"] = [{ role: "user", content: "What is aaaa bbbb?" }];
  const call = ask(connector.id, { companyId: company.id, passages: [passage], messages });
  await setSpent(0.9);
  expect(await codeOf(call)).toBe("answered");
  await setSpent(0.96);
  expect(await codeOf(call)).toBe("quoted");
  await setSpent(1);
  await expect(complete(services, call)).rejects.toMatchObject({ code: "budget", text: "Ask Ada for more." });
  // Other companies are not affected.
  expect(await codeOf(ask(connector.id))).toBe("answered");
});

test("tells admins once when 80 % of a budget is spent, and uses the cheaper model", async () => {
  const prices = [{ input: 1, output: 2, validFrom: "2020-01-01" }];
  const models = [
    { id: "stand-in-large", use: "chat" as const, prices },
    { id: "stand-in-small", use: "chat" as const, prices },
  ];
  const connector = await connect(boss, provider, { models, monthlyBudget: 1, cheaperModel: "stand-in-small" });
  const mails = () =>
    db
      .selectFrom("mails")
      .where("reason", "=", "notifications.budgetReached")
      .where("userId", "=", admin.user.id)
      .selectAll()
      .execute();
  const before = (await mails()).length;
  await db
    .updateTable("aiBudgets")
    .set({ spentMicros: 800_000 - 30 })
    .where("ownerId", "=", connector.id)
    .execute();
  expect((await complete(services, ask(connector.id))).model).toBe("stand-in-large");
  expect((await complete(services, ask(connector.id))).model).toBe("stand-in-small");
  expect(await mails()).toHaveLength(before + 1);
  const { items } = (await boss(audit.list, { query: { action: "connectors.budget" } })).body;
  expect(items[0]).toMatchObject({ actorRole: "nobody", details: { budget: "connector", percent: 80 } });
});

test("tells admins once that a budget is spent of which no further call is paid", async () => {
  const connector = await connect(boss, provider, { monthlyBudget: 1 });
  const told = async () =>
    (await boss(audit.list, { query: { action: "connectors.budget" } })).body.items.filter(
      ({ details }) => details.percent === 97,
    ).length;
  await db.updateTable("aiBudgets").set({ spentMicros: 970_000 }).where("ownerId", "=", connector.id).execute();
  await Promise.all(Array.from({ length: 5 }, () => codeOf(ask(connector.id))));
  expect(await told()).toBe(1);
});

test("settles the calls of a server that has ended, at the most they can have cost", async () => {
  const connector = await connect(boss, provider, { monthlyBudget: 1 });
  provider.always({ hangs: true });
  const stop = new AbortController();
  const lost = codeOf(ask(connector.id, { signal: stop.signal }));
  const reserved = async () => (await boss(connectors.get, { params: { id: connector.id } })).body.budget;
  await expect.poll(async () => (await reserved()).reserved).toBe(MOST);
  const spent = (await reserved()).spent;
  await db
    .updateTable("aiUsage")
    .set({ expiresAt: "2020-01-01" })
    .where("connectorId", "=", connector.id)
    .where("status", "=", "running")
    .execute();
  await settleLostCalls(services);
  expect((await reserved()).spent).toBeCloseTo(spent + MOST, 9);
  stop.abort();
  await lost;
  // The late end of the call changes nothing.
  expect(await reserved()).toMatchObject({ reserved: 0 });
  expect((await reserved()).spent).toBeCloseTo(spent + MOST, 9);
  expect((await boss(connectors.usage, { query: { connectorId: connector.id, status: "lost" } })).body.total).toBe(1);
});

test("uses the price valid on the day of the call, and marks calls without one", async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const models = [
    {
      id: "stand-in-large",
      use: "chat" as const,
      prices: [
        { input: 5, output: 5, validFrom: "2020-01-01" },
        { input: 10, output: 10, validFrom: "2021-01-01" },
        { input: 99, output: 99, validFrom: tomorrow },
      ],
    },
    { id: "stand-in-small", use: "chat" as const, prices: [{ input: 1, output: 1, validFrom: tomorrow }] },
  ];
  const connector = await connect(boss, provider, { models });
  expect((await complete(services, ask(connector.id))).usage.costMicros).toBe(500);
  expect((await complete(services, ask(connector.id, { model: "stand-in-small" }))).usage.costMicros).toBeNull();
  const { items } = (await boss(connectors.usage, { query: { connectorId: connector.id } })).body;
  expect(items.slice(0, 2).map(({ cost }) => cost)).toEqual([null, 0.0005]);
  expect((await boss(connectors.get, { params: { id: connector.id } })).body.unpriced).toBe(1);
});
