import { expect, test } from "vitest";
import { embed, type EmbedCall } from "#server/connectors/gateway.ts";
import type { ConnectorInput } from "#shared/connectors.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";

const { as, make, services, db } = await start();
const boss = as(await make.admin());

async function open(input: Partial<ConnectorInput> = {}) {
  const provider = await startProvider("openai");
  const connector = await connect(boss, provider, { embeds: true, ...input });
  const run = (call: Partial<EmbedCall> = {}) =>
    embed(services, { connectorId: connector.id, texts: ["one"], companyId: null, ...call });
  const asked = () => provider.requests.filter(({ path }) => path.includes("embeddings")).length;
  return { provider, connector, run, asked };
}
const failsWith = (code: string) => ({ status: "rejected", reason: { code } });

test("a paused connector embeds nothing until its pause is over", async () => {
  const { provider, connector, run, asked } = await open();
  provider.always({ status: 500 });
  for (let call = 0; call < 5; call++) await expect(run()).rejects.toMatchObject({ code: "provider_down" });
  const before = asked();
  await expect(run()).rejects.toMatchObject({ code: "paused" });
  expect(asked()).toBe(before);
  provider.always({});
  await db.updateTable("connectors").set({ pausedUntil: "2020-01-01" }).where("id", "=", connector.id).execute();
  expect((await run())?.vectors).toHaveLength(1);
  await provider.stop();
});

test("embeddings count among the calls at once, and an abort ends them", async () => {
  const { provider, run, asked } = await open({ maxConcurrent: 2 });
  const before = asked();
  provider.always({ hangs: true });
  const stopping = new AbortController();
  const calls = [run({ signal: stopping.signal }), run({ signal: stopping.signal })];
  await expect.poll(asked).toBe(before + 2);
  expect((await Promise.allSettled([run()]))[0]).toMatchObject(failsWith("too_many"));
  stopping.abort(new Error("stopped"));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const stopped = await db.selectFrom("aiUsage").where("status", "=", "stopped").selectAll().execute();
  expect(stopped).toHaveLength(2);
  provider.always({});
  expect((await run())?.vectors).toHaveLength(1);
  await provider.stop();
});

test("nothing is sent after an abort", async () => {
  const { provider, run, asked } = await open();
  const before = asked();
  await expect(run({ signal: AbortSignal.abort(new Error("stopped")) })).rejects.toThrow("stopped");
  expect(asked()).toBe(before);
  await provider.stop();
});

test("somebody who waits for a vector waits no longer than for a first word", async () => {
  const { provider, run } = await open({ firstTokenTimeoutMs: 200 });
  provider.always({ hangs: true });
  await expect(run({ isWaitedFor: true })).rejects.toMatchObject({ code: "timeout" });
  await provider.stop();
});
