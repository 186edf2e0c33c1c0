import { expect, test } from "vitest";
import { type Connector, type ConnectorInput, connectors } from "#shared/connectors/connectors.ts";
import { connect } from "#test/providers/connect.ts";
import { startProvider } from "#test/providers/provider.ts";
import { start } from "#test/start.ts";
import { embed, type EmbedCall } from "#server/connectors/embeddings.ts";

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

/** A connector that is paused after five failures, and whose provider works again. */
async function openPaused(input: Partial<ConnectorInput> = {}) {
  const opened = await open(input);
  opened.provider.always({ status: 500 });
  for (let call = 0; call < 5; call++) await opened.run().catch(() => {});
  await expect(opened.run()).rejects.toMatchObject({ code: "paused" });
  opened.provider.always({});
  return opened;
}

test("a pause ends when a connector is changed, reactivated or passes its test", async () => {
  const repairs: ((connector: Connector) => Promise<unknown>)[] = [
    ({ id, version }) => boss(connectors.update, { params: { id }, body: { version, totalTimeoutMs: 61_000 } }),
    ({ id, version, models }) =>
      boss(connectors.update, { params: { id }, body: { version, models: models.toReversed() } }),
    ({ id }) => boss(connectors.test, { params: { id }, body: {} }),
    async ({ id }) => {
      for (const status of ["disabled", "active"] as const)
        await boss(connectors.setStatus, { params: { id }, body: { status } });
    },
  ];
  for (const repair of repairs) {
    const { provider, connector, run } = await openPaused();
    await repair(connector);
    expect((await run())?.vectors).toHaveLength(1);
    await provider.stop();
  }
});

test("a new name repairs nothing", async () => {
  const { provider, connector, run } = await openPaused();
  const { id, version } = connector;
  await boss(connectors.update, { params: { id }, body: { version, name: "Renamed" } });
  await expect(run()).rejects.toMatchObject({ code: "paused" });
  await provider.stop();
});

test("calls that began before a connector was repaired do not pause it again", async () => {
  const { provider, connector, run } = await open({ maxConcurrent: 8, firstTokenTimeoutMs: 1000 });
  provider.always({ hangs: true });
  const before = provider.requests.length;
  const calls = Promise.allSettled(Array.from({ length: 5 }, () => run({ isWaitedFor: true })));
  await expect.poll(() => provider.requests.length).toBe(before + 5);
  const { id, version } = connector;
  await boss(connectors.update, { params: { id }, body: { version, firstTokenTimeoutMs: 9000 } });
  for (const call of await calls) expect(call).toMatchObject(failsWith("timeout"));
  provider.always({});
  expect((await run())?.vectors).toHaveLength(1);
  await provider.stop();
});

test("all texts of a call are embedded by the call that ends a pause", async () => {
  const { provider, connector, run } = await openPaused();
  await db.updateTable("connectors").set({ pausedUntil: "2020-01-01" }).where("id", "=", connector.id).execute();
  expect((await run({ texts: Array.from({ length: 150 }, (_, at) => `text ${at}`) }))?.vectors).toHaveLength(150);
  await provider.stop();
});

test("a call refused for concurrency does not use up the attempt that ends a pause", async () => {
  const { provider, connector, run, asked } = await open({ maxConcurrent: 1 });
  provider.next({ hangs: true });
  const stopping = new AbortController();
  const before = asked();
  const hanging = run({ signal: stopping.signal });
  await expect.poll(asked).toBe(before + 1);
  const set = { failures: 5, lastErrorCode: "timeout", pausedUntil: "2020-01-01" } as const;
  await db.updateTable("connectors").set(set).where("id", "=", connector.id).execute();
  await expect(run()).rejects.toMatchObject({ code: "too_many" });
  stopping.abort(new Error("stopped"));
  await hanging.catch(() => {});
  expect((await run())?.vectors).toHaveLength(1);
  await provider.stop();
});

test("embeddings count among the calls at once, and an abort ends them", async () => {
  const { provider, connector, run, asked } = await open({ maxConcurrent: 2 });
  const before = asked();
  provider.always({ hangs: true });
  const stopping = new AbortController();
  const calls = [run({ signal: stopping.signal }), run({ signal: stopping.signal })];
  await expect.poll(asked).toBe(before + 2);
  expect((await Promise.allSettled([run()]))[0]).toMatchObject(failsWith("too_many"));
  stopping.abort(new Error("stopped"));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const stopped = await db
    .selectFrom("aiUsage")
    .where("status", "=", "stopped")
    .where("connectorId", "=", connector.id)
    .selectAll()
    .execute();
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
