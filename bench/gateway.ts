import { sealKey } from "#server/connectors/endpoints.ts";
import { readConfig } from "#server/core/config.ts";
import { createLog } from "#server/core/log.ts";
import { migrate } from "#server/core/database/migrations.ts";
import { startPostgres } from "#server/core/postgres/postgres.ts";
import { endPools } from "#server/core/database/pools.ts";
import { createServices } from "#server/core/services.ts";
import { streamCompletion } from "#server/connectors/gateway.ts";
import type { GatewayCall } from "#server/connectors/gatewayCall.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fork } from "node:child_process";
import { median, round } from "./_load.ts";

/**
 * The gateway to language models: the first text and the whole answer through it, as ratios to a direct call of the
 * same provider in the same run; processor time per token; memory per stream. The provider is a stand-in in another
 * process, 40 pieces 5 ms apart.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 60);
const STREAMS = Number(process.env.STREAMS ?? 200);

const provider = fork(join(import.meta.dirname, "_provider.ts"));
const url = await new Promise<string>((resolve) => provider.once("message", (message) => resolve(String(message))));
const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
const log = createLog("error");
const postgres = await startPostgres(folder, log);
const config = readConfig({ DATA_DIR: folder, PRIVATE_HOSTS: "127.0.0.1", DEMO: "false" });
const services = createServices(config, log, postgres.connection);
await migrate(services.pool);
const key = "sk-bench";
const { id } = await services.db
  .insertInto("connectors")
  .values({
    name: "Bench",
    kind: "openai",
    baseUrl: url,
    status: "active",
    maxConcurrent: 1000,
    models: JSON.stringify([{ id: "m", use: "chat", prices: [{ input: 1, output: 1, validFrom: "2020-01-01" }] }]),
  })
  .returning("id")
  .executeTakeFirstOrThrow();
await services.db
  .updateTable("connectors")
  .set({ apiKey: sealKey(config, id, key) })
  .where("id", "=", id)
  .execute();

const messages: GatewayCall["messages"] = [{ role: "user", content: "Count." }];
/** Milliseconds to the first text and to the end. */
type Times = { first: number; total: number };
async function direct(): Promise<Times> {
  const started = performance.now();
  const reply = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "m", messages, stream: true, stream_options: { include_usage: true } }),
  });
  let first = 0;
  const decoder = new TextDecoder();
  for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>)
    if (first === 0 && decoder.decode(bytes, { stream: true }).includes("word")) first = performance.now() - started;
  return { first, total: performance.now() - started };
}
async function throughGateway(): Promise<Times> {
  const started = performance.now();
  let first = 0;
  const call: GatewayCall = { purpose: "chat", connectorId: id, companyId: null, messages };
  for await (const event of streamCompletion(services, call)) {
    if (event.type === "text" && first === 0) first = performance.now() - started;
    if (event.type === "error") throw new Error(event.code);
  }
  return { first, total: performance.now() - started };
}

for (let n = 0; n < 10; n++) await Promise.all([direct(), throughGateway()]);
const [bare, ours]: [Times[], Times[]] = [[], []];
for (let n = 0; n < ROUNDS; n++) {
  bare.push(await direct());
  ours.push(await throughGateway());
}
const of = (times: Times[], name: keyof Times) => median(times.map((time) => time[name]));
for (const name of ["first", "total"] as const) {
  const [a, b] = [of(bare, name), of(ours, name)];
  console.log(
    `${name.padEnd(6)} ratio to the direct call ${round(b / a)}, ${round(a)} and ${round(b)} ms, added ${round(b - a)} ms`,
  );
}

const before = { cpu: process.cpuUsage(), memory: process.memoryUsage().rss };
let highest = before.memory;
const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20);
const started = performance.now();
const times = await Promise.all(Array.from({ length: STREAMS }, throughGateway));
clearInterval(watch);
const used = process.cpuUsage(before.cpu);
const tokens = STREAMS * 40;
console.log(
  `${STREAMS} streams at once: ${round((used.user + used.system) / tokens)} µs of processor time per token, ` +
    `${round((highest - before.memory) / STREAMS / 1024)} KiB per stream, all in ${Math.round(performance.now() - started)} ms, ` +
    `first text after ${Math.round(of(times, "first"))} ms`,
);

await endPools(services);
await postgres.stop();
provider.kill();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
