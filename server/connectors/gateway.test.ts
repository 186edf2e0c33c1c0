import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { embed } from "#server/connectors/embeddings.ts";
import { complete, completeStructured, streamCompletion } from "#server/connectors/gateway.ts";
import type { GatewayCall, GatewayEvent } from "#server/connectors/gatewayCall.ts";
import { connect } from "#test/providers/connect.ts";
import { type ProtocolName, startProvider } from "#test/providers/provider.ts";
import type { Script } from "#test/providers/script.ts";
import { start } from "#test/start.ts";

const { as, make, services, db } = await start();
const admin = await make.admin();
const boss = as(admin);

const ask = (connectorId: string, extra: Partial<GatewayCall> = {}): GatewayCall => ({
  purpose: "prompt",
  connectorId,
  companyId: null,
  messages: [
    { role: "system", content: "Count." },
    { role: "user", content: "To five" },
  ],
  ...extra,
});
async function read(call: GatewayCall) {
  const events: GatewayEvent[] = [];
  for await (const event of streamCompletion(services, call)) events.push(event);
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { events, text, last: events.at(-1) };
}
const usageOf = (last: GatewayEvent | undefined) =>
  db
    .selectFrom("aiUsage")
    .where("id", "=", last && "usageId" in last ? last.usageId : "")
    .selectAll()
    .executeTakeFirstOrThrow();
const PASSAGE = {
  id: "p1",
  documentId: "d1",
  title: "Handbook",
  heading: null,
  page: 3,
  text: "Counting goes to five. Then it stops.",
  score: 1,
  quotes: [{ start: 0, end: 22 }],
};

describe.each(["openai", "anthropic", "google"] satisfies ProtocolName[])("%s", async (protocol) => {
  const provider = await startProvider(protocol);
  afterAll(() => provider.stop());
  const connector = await connect(boss, provider, { embeds: protocol !== "anthropic", firstTokenTimeoutMs: 1000 });
  beforeEach(() => db.updateTable("connectors").set({ failures: 0, pausedUntil: null }).execute());
  const run = (script: Script, extra: Partial<GatewayCall> = {}) => {
    provider.next(script);
    return read(ask(connector.id, extra));
  };

  test("streams the pieces in order, with reported tokens and cost", async () => {
    const { events, text, last } = await run({});
    expect(events.map(({ type }) => type)).toEqual(["start", "text", "text", "text", "text", "text", "end"]);
    expect(text).toBe("One, two, three, four, five.");
    expect(last).toMatchObject({
      type: "end",
      reason: "stop",
      usage: { inputTokens: 40, outputTokens: 10, isEstimated: false, costMicros: 60 },
    });
    expect(await usageOf(last)).toMatchObject({
      status: "done",
      inputTokens: 40,
      costMicros: 60,
      model: "stand-in-large",
    });
  });

  test("reads chunks that are split inside characters and lines", async () => {
    const { text } = await run({ text: ["Grüße ", "日本語 ", "🎓"], splitBytes: 1, crlf: true });
    expect(text).toBe("Grüße 日本語 🎓");
  });

  test("estimates tokens that the provider does not report, and says so", async () => {
    const { last } = await run({ noUsage: true });
    expect(last).toMatchObject({ usage: { isEstimated: true } });
    expect(await usageOf(last)).toMatchObject({ isEstimated: true, outputTokens: 10 });
  });

  test.each([
    [{ status: 401 }, "bad_key"],
    [{ status: 404 }, "not_found_model"],
    [{ status: 400 }, "bad_request"],
    [{ status: 429 }, "busy"],
    [{ status: 500 }, "provider_down"],
    [{ instead: "html" }, "bad_reply"],
    [{ instead: "json" }, "bad_reply"],
    [{ cutAfter: 0 }, "truncated"],
    [{ failsAfter: 0 }, "provider_down"],
    [{ text: [], noFinish: true }, "truncated"],
    [{ hangs: true }, "timeout"],
  ] satisfies [Script, string][])("answers %j with the error %s", async (script, code) => {
    const { events } = await run(script);
    expect(events).toEqual([{ type: "error", code, retryable: expect.any(Boolean) }]);
  });

  test.each([{ cutAfter: 2 }, { failsAfter: 2 }, { noFinish: true }, { malformed: true }] satisfies Script[])(
    "ends an answer with %j as cut, and keeps its text",
    async (script) => {
      const { text, last } = await run(script);
      expect(text.startsWith("One, ")).toBe(true);
      expect(last).toMatchObject({ type: "end", reason: "cut", usage: { isEstimated: true } });
      expect(await usageOf(last)).toMatchObject({ status: "cut" });
    },
  );

  test.each(["length", "refused"] as const)("tells that an answer ended by %s", async (finish) => {
    expect((await run({ finish })).last).toMatchObject({ type: "end", reason: finish });
  });

  test("ends the call at the provider when it is stopped", async () => {
    const stop = new AbortController();
    provider.next({ text: Array.from({ length: 200 }, () => "word "), delay: 20 });
    let pieces = 0;
    let last: GatewayEvent | undefined;
    for await (const event of streamCompletion(services, ask(connector.id, { signal: stop.signal }))) {
      if (event.type === "text" && ++pieces === 3) stop.abort();
      last = event;
    }
    const seen = provider.requests.at(-1);
    await seen?.closed;
    expect(seen).toMatchObject({ isAborted: true });
    expect(seen?.pieces).toBeLessThan(100);
    expect(last).toMatchObject({ type: "end", reason: "stopped" });
    expect(await usageOf(last)).toMatchObject({ status: "stopped", isEstimated: true });
  });

  test("ends the call at the provider when nobody reads on", async () => {
    provider.next({ text: Array.from({ length: 200 }, () => "word "), delay: 20 });
    let usageId = "";
    for await (const event of streamCompletion(services, ask(connector.id))) {
      if (event.type === "start") usageId = event.usageId;
      if (event.type === "text") break;
    }
    const seen = provider.requests.at(-1);
    await seen?.closed;
    expect(seen?.isAborted).toBe(true);
    const { status } = await db
      .selectFrom("aiUsage")
      .where("id", "=", usageId)
      .select("status")
      .executeTakeFirstOrThrow();
    expect(status).toBe("stopped");
  });

  test("returns a structured answer, and refuses one that breaks its schema", async () => {
    const schema = z.object({ quality: z.int().min(1).max(5) });
    provider.next({ structured: '{"quality": 4}' });
    expect((await completeStructured(services, ask(connector.id), schema)).value).toEqual({ quality: 4 });
    for (const structured of ['{"quality": 9}', '{"quality": "4"}', "not JSON", '{"quality": 4']) {
      provider.next({ structured });
      await expect(completeStructured(services, ask(connector.id), schema)).rejects.toMatchObject({
        code: "bad_structure",
      });
    }
  });

  test("embeds texts in their order, or says that the provider cannot", async () => {
    const texts = Array.from({ length: 70 }, (_, at) => `${String.fromCodePoint(97 + (at % 26))} text`);
    const embedding = await embed(services, { connectorId: connector.id, texts, companyId: null });
    if (protocol === "anthropic") return expect(embedding).toBeNull();
    expect(embedding).toMatchObject({ model: "stand-in-vectors", size: 8 });
    expect(embedding?.vectors).toHaveLength(70);
    expect(embedding?.vectors[1]?.[0]).toBeCloseTo((98 % 97) / 97);
  });
});

test("leaves out the characters that the database refuses", async () => {
  const provider = await startProvider("openai");
  const connector = await connect(boss, provider, { embeds: true, firstTokenTimeoutMs: 1000 });
  provider.next({ text: ["One\u0000, two. 😀"] });
  expect((await read(ask(connector.id))).text).toBe("One, two. 😀");
  provider.next({ structured: JSON.stringify({ said: "One\u0000, \ud83d", list: ["\u0000"] }) });
  const schema = z.object({ said: z.string(), list: z.array(z.string()) });
  const { value } = await completeStructured(services, ask(connector.id), schema);
  expect(value).toEqual({ said: "One, \ufffd", list: [""] });
  await provider.stop();
});

test("answers through the fallback before the first text, and counts it", async () => {
  const [broken, sound] = [await startProvider("openai"), await startProvider("anthropic")];
  const second = await connect(boss, sound);
  const first = await connect(boss, broken, { fallbacks: [{ connectorId: second.id, model: null }] });
  broken.next({ status: 500 });
  const { events } = await read(ask(first.id));
  expect(events[0]).toMatchObject({ type: "start", connector: { id: second.id } });
  expect(events.filter(({ type }) => type === "start")).toHaveLength(1);
  broken.next({ cutAfter: 1 });
  const cut = await read(ask(first.id));
  expect(cut.last).toMatchObject({ reason: "cut" });
  expect(cut.events[0]).toMatchObject({ connector: { id: first.id } });
  await Promise.all([broken.stop(), sound.stop()]);
});

test("quotes passages when every provider fails, and says why when there are none", async () => {
  const provider = await startProvider("openai");
  const connector = await connect(boss, provider);
  await provider.stop();
  const messages: GatewayCall["messages"] = [{ role: "user", content: "How far does counting go?" }];
  const quoted = await read(ask(connector.id, { messages, passages: [PASSAGE] }));
  expect(quoted.events[0]).toMatchObject({ type: "start", connector: { isBuiltin: true }, model: "quotation" });
  expect(quoted.events).toContainEqual({ type: "quote", passageId: "p1", start: 0, end: 22 });
  expect((await read(ask(connector.id, { messages }))).events).toEqual([
    { type: "error", code: "provider_down", retryable: true },
  ]);
});

test("pauses a connector after five failures, and tries it again later", async () => {
  const provider = await startProvider("openai");
  const connector = await connect(boss, provider);
  provider.always({ status: 500 });
  for (let call = 0; call < 5; call++) await read(ask(connector.id));
  const before = provider.chats().length;
  expect((await read(ask(connector.id))).last).toMatchObject({ code: "paused" });
  expect(provider.chats()).toHaveLength(before);
  const told = await db.selectFrom("notifications").select("params").where("kind", "=", "connectorFailing").execute();
  expect(told.map(({ params }) => params.error)).toContain("The provider did not answer, or answered with an error.");
  await db.updateTable("connectors").set({ pausedUntil: "2020-01-01" }).where("id", "=", connector.id).execute();
  provider.always({});
  const answers = await Promise.all([1, 2, 3].map(() => read(ask(connector.id))));
  expect(answers.filter(({ last }) => last?.type === "end").length).toBeGreaterThanOrEqual(1);
  expect((await read(ask(connector.id))).last).toMatchObject({ reason: "stop" });
  await provider.stop();
});

test("limits the calls at once", async () => {
  const provider = await startProvider("openai");
  const connector = await connect(boss, provider, { maxConcurrent: 2 });
  provider.always({ firstDelay: 300 });
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => read(ask(connector.id))));
  expect(answers.filter(({ last }) => last?.type === "end")).toHaveLength(2);
  expect(answers.filter(({ last }) => last?.type === "error" && last.code === "too_many")).toHaveLength(3);
  await provider.stop();
});

test("refuses a company that may not use the connector", async () => {
  const provider = await startProvider("openai");
  const [one, other] = [await make.company(admin), await make.company(admin)];
  const connector = await connect(boss, provider, { companyIds: [one.id] });
  expect((await read(ask(connector.id, { companyId: one.id }))).last).toMatchObject({ reason: "stop" });
  expect((await read(ask(connector.id, { companyId: other.id }))).last).toMatchObject({ code: "not_allowed" });
  await provider.stop();
});

test("answers with the built-in connector when none is named", async () => {
  const answer = await complete(services, { ...ask(""), connectorId: null, passages: [PASSAGE] });
  expect(answer.connector.isBuiltin).toBe(true);
  expect(answer.usage.costMicros).toBe(0);
});

test("refuses a stranger's chat with a model without a price", async () => {
  const provider = await startProvider("openai");
  const connector = await connect(boss, provider, { models: [{ id: "free", use: "chat", prices: [] }] });
  const { last } = await read(ask(connector.id));
  expect(last).toMatchObject({ usage: { costMicros: null } });
  const call = ask(connector.id, { purpose: "chat", visitorId: "v1" });
  expect((await read(call)).last).toMatchObject({ code: "unpriced" });
  await provider.stop();
});
