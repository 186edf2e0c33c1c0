import { z } from "zod";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { GatewayCall, GatewayEvent } from "#server/connectors/gatewayCall.ts";
import { completeStructured, streamCompletion } from "#server/connectors/gateway.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import type { Script } from "#test/providers/script.ts";
import { start } from "#test/start.ts";

// What providers do against their protocol or against us: the end, what it costs, and whether the next one answers

const { as, make, services, db } = await start();
const boss = as(await make.admin());
const provider = await startProvider("openai");
const other = await startProvider("openai");
afterAll(() => Promise.all([provider.stop(), other.stop()]));
const second = await connect(boss, other);
const connector = await connect(boss, provider, { fallbacks: [{ connectorId: second.id, model: null }] });
const alone = await connect(boss, provider);

const endPauses = () =>
  db.updateTable("connectors").set({ failures: 0, pausedUntil: null, lastErrorCode: null }).execute();
beforeEach(endPauses);

async function read(connectorId: string, content = "Count to five", extra: Partial<GatewayCall> = {}) {
  const call = {
    purpose: "prompt" as const,
    connectorId,
    companyId: null,
    messages: [{ role: "user" as const, content }],
  };
  const events: GatewayEvent[] = [];
  for await (const event of streamCompletion(services, { ...call, ...extra })) events.push(event);
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { text, first: events[0], last: events.at(-1) };
}
const run = (script: Script, content?: string, extra?: Partial<GatewayCall>) => {
  provider.next(script);
  return read(alone.id, content, extra);
};
const lastUsage = (connectorId: string) =>
  db.selectFrom("aiUsage").where("connectorId", "=", connectorId).orderBy("at", "desc").selectAll().executeTakeFirst();
const pauseOf = async ({ id }: { id: string }) => {
  const { pausedUntil } = await db
    .selectFrom("connectors")
    .where("id", "=", id)
    .select("pausedUntil")
    .executeTakeFirstOrThrow();
  return pausedUntil === null ? null : Date.parse(pausedUntil) - Date.now();
};

describe("usage that cannot be true is counted anew", () => {
  const text = ["Five words in this answer, ", "and then a few more of them."];
  const sent = "How many words are in the answer that you are going to give to this question of mine?";
  test.each([
    ["zeros", { input: 0, output: 0 }],
    ["a negative number", { input: -20, output: -5 }],
    ["a fraction", { input: 20.5, output: 14.5 }],
    ["a billion", { input: 1e9, output: 1e9 }],
    ["more output than the limit allows", { input: 19, output: 5000 }],
  ])("%s", async (_, usage) => {
    const { last } = await run({ text, usage }, sent, { maxOutputTokens: 100 });
    expect(last).toMatchObject({ type: "end", usage: { isEstimated: true } });
    const { usage: counted } = last as Extract<GatewayEvent, { type: "end" }>;
    expect(counted.outputTokens).toBeGreaterThan(10);
    expect(counted.outputTokens).toBeLessThan(20);
    expect(counted.inputTokens).toBeGreaterThan(12);
    expect(counted.inputTokens).toBeLessThan(60);
  });
  test("thinking within the limit is believed", async () => {
    const { last } = await run({ text, usage: { input: 19, output: 95 } }, sent, { maxOutputTokens: 100 });
    expect(last).toMatchObject({ usage: { inputTokens: 19, outputTokens: 95, isEstimated: false } });
  });
});

test.each([
  ["Chinese", "学习平台可以帮助公司培训员工并记录他们的进步。", 14],
  ["Japanese", "学習プラットフォームは、従業員の研修を支援します。", 20],
  ["Thai", "แพลตฟอร์มการเรียนรู้ช่วยให้บริษัทฝึกอบรมพนักงาน", 19],
  ["English", "The platform helps companies to train their employees.", 9],
])("tokens of %s are those of a tokenizer", async (_, sentence, tokens) => {
  const { last } = await run({ text: [sentence], noUsage: true }, "?");
  expect(last).toMatchObject({ usage: { outputTokens: tokens, isEstimated: true } });
});

test("a provider that ignores the limit costs at most a quarter more than was reserved", async () => {
  await run({ text: Array.from({ length: 5000 }, () => "word "), usage: { input: 10, output: 5000 } }, "Count", {
    maxOutputTokens: 200,
  });
  const usage = await lastUsage(alone.id);
  expect(usage?.status).toBe("length");
  expect(usage?.outputTokens).toBeLessThanOrEqual(251);
  expect(Number(usage?.costMicros)).toBeLessThanOrEqual(Number(usage?.reservedMicros) * 1.26);
});

describe("an empty answer is not an answer", () => {
  test.each([
    ["nothing", []],
    ["white space", ["\n", "  ", "\u00a0"]],
    ["characters that nobody sees", ["\u200b", "\u2060", "\ufeff"]],
    ["the call of a tool as JSON", ['{"name": "search",', ' "arguments": {"q": "holiday"}}']],
    ["the call of a tool in a block", ["```json\n", '{"tool": "search", "parameters": {}}', "\n```"]],
    ["the call of a tool in a tag", ["<tool_", 'call>{"name": "search"}</tool_call>']],
    ["the call of a tool with its mark", ['[TOOL_CALLS][{"name": "search", "arguments": {}}]']],
  ])("%s", async (_, text) => {
    expect((await run({ text })).last).toMatchObject({ type: "error", code: "empty", retryable: true });
    provider.next({ text });
    const answered = await read(connector.id);
    expect(answered.first).toMatchObject({ type: "start", connector: { id: second.id } });
    expect(answered.text).toBe("One, two, three, four, five.");
  });
  test("what the model thought for it is paid, once", async () => {
    await run({ text: [], usage: { input: 5, output: 300 } });
    expect(await lastUsage(alone.id)).toMatchObject({ status: "failed", code: "empty", outputTokens: 300 });
  });
  test.each([
    ["JSON that is no call", '{"colour": "blue", "size": 3}'],
    ["code", '```json\n{"a": 1}\n```'],
    ["a brace in a sentence", "{curly} braces are fine"],
    ["a tag of HTML", "<b>bold</b>"],
  ])("%s is shown as it is", async (_, text) => {
    expect((await run({ text: text.match(/.{1,4}/gsu) ?? [] })).text).toBe(text);
  });
});

test("the input of a tool that nobody offered is not shown", async () => {
  const claude = await startProvider("anthropic");
  const own = await connect(boss, claude);
  claude.next({ text: [], toolInput: '{"q": "secret"}' });
  const { last, text } = await read(own.id);
  expect([text, last]).toMatchObject(["", { type: "error", code: "empty", retryable: true }]);
  await claude.stop();
});

const json = { "content-type": "application/json" };
const refusalOf = (error: object) => JSON.stringify({ error });
describe("a refusal is read", () => {
  test.each<[string, Script, string]>([
    ["402", { status: 402 }, "no_credit"],
    ["429 without quota", { status: 429, refusal: refusalOf({ code: "insufficient_quota" }) }, "no_credit"],
    ["400 without credit", { status: 400, refusal: "Your credit balance is too low" }, "no_credit"],
    ["413", { status: 413 }, "too_long"],
    ["400, too long", { status: 400, refusal: refusalOf({ code: "context_length_exceeded" }) }, "too_long"],
    ["400, prompt too long", { status: 400, refusal: "prompt is too long: 210000 tokens > 200000" }, "too_long"],
    ["400, something else", { status: 400, refusal: "Unknown parameter" }, "bad_request"],
  ])("%s", async (_, script, code) => {
    expect((await run({ ...script, refusalHeaders: json })).last).toMatchObject({ type: "error", code });
    provider.next({ ...script, refusalHeaders: json });
    expect((await read(connector.id)).first).toMatchObject({ connector: { id: second.id } });
  });

  test("one without credit rests, and admins are told once", async () => {
    await run({ status: 402 });
    await endPauses();
    await run({ status: 402 });
    expect(await pauseOf(alone)).toBeGreaterThan(9 * 60_000);
    const told = await db.selectFrom("notifications").select("params").where("kind", "=", "connectorFailing").execute();
    const texts = told.filter(({ params }) => params.error === "The account at the provider has no credit left.");
    const admins = await db.selectFrom("users").where("role", "=", "admin").select("id").execute();
    expect(texts.length).toBeGreaterThanOrEqual(admins.length);
    expect(texts.length).toBeLessThanOrEqual(admins.length * 2);
  });

  const google = refusalOf({
    code: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    status: "RESOURCE_EXHAUSTED",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }],
  });
  test.each<[string, Script, number, number]>([
    ["seconds", { refusalHeaders: { "retry-after": "20" } }, 18_000, 20_000],
    ["a date", { refusalHeaders: { "retry-after": new Date(Date.now() + 3600_000).toUTCString() } }, 590_000, 600_000],
    ["RetryInfo", { refusal: google }, 32_000, 34_070],
  ])("429 with the time to wait as %s rests that long, at most ten minutes", async (_, script, least, most) => {
    expect((await run({ status: 429, ...script })).last).toMatchObject({ code: "busy" });
    expect(await pauseOf(alone)).toBeGreaterThan(least);
    expect(await pauseOf(alone)).toBeLessThanOrEqual(most);
    const calls = provider.chats().length;
    expect((await read(alone.id)).last).toMatchObject({ code: "paused" });
    expect(provider.chats()).toHaveLength(calls);
  });
  test.each(["", "soon", "-5", "1e99"])("429 with the time to wait %j is a refusal like others", async (wait) => {
    await run({ status: 429, refusalHeaders: { "retry-after": wait } });
    expect((await pauseOf(alone)) ?? 0).toBeLessThanOrEqual(600_000);
  });
});

test.each(["x".repeat(200_000), "word ".repeat(40_000), "学".repeat(60_000)])(
  "an answer in one piece is cut at its limit as well",
  async (text) => {
    await run({ text: [text], usage: { input: 5, output: 90_000 } }, "Write a book", { maxOutputTokens: 200 });
    const usage = await lastUsage(alone.id);
    expect(usage?.status).toBe("length");
    expect(usage?.outputTokens).toBeLessThanOrEqual(400);
  },
);

test("usage of another type than a number is counted anew", async () => {
  const usage = { input: "many", output: null } as never;
  expect((await run({ usage })).last).toMatchObject({ type: "end", usage: { isEstimated: true, outputTokens: 10 } });
});

test("a structured answer that ends at its limit in the middle is no answer", async () => {
  provider.next({ structured: '{"colour": "bl', finish: "length" });
  const call = {
    purpose: "prompt" as const,
    connectorId: alone.id,
    companyId: null,
    messages: [{ role: "user" as const, content: "Which colour?" }],
  };
  const asked = completeStructured(services, call, z.object({ colour: z.string() }));
  await expect(asked).rejects.toMatchObject({ code: "bad_structure" });
});
