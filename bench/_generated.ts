import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { auth } from "#shared/auth/auth.ts";
import { createClient } from "#test/client.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { cpuSeconds, load, median, processTreeOf, round } from "./_load.ts";

// A server with the generator's data (`PERCENT`), and its answers as ratios to statements sent directly to the same
// PostgreSQL. `DATA=folder` uses and keeps a data folder that `npm run generate` has filled; `ONLY=text,other` measures
// what has one of the texts in its name.

const PERCENT = process.env.PERCENT ?? "1";
const SECONDS = Number(process.env.SECONDS ?? 2);
export const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LANES = 4;
export const isChosen = (name: string) => (process.env.ONLY ?? "").split(",").some((text) => name.includes(text));

/** `skipped`: tables that the measurements do not read; `hasProbe`: see createProcess. */
export async function startGenerated(skipped: string[] = [], { hasProbe = false } = {}) {
  const dataDir = process.env.DATA ?? mkdtempSync(join(tmpdir(), "lyceum-bench-"));
  if (!process.env.DATA) {
    const skip = skipped.length > 0 ? ["--skip", skipped.join(",")] : [];
    const made = spawnSync(process.execPath, ["scripts/generate.ts", "--percent", PERCENT, ...skip], {
      cwd: join(import.meta.dirname, ".."),
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: ["ignore", 2, 2],
    });
    if (made.status !== 0) throw new Error("the data could not be generated");
  }
  const server = await createProcess({ LOG_LEVEL: "error", DATA_DIR: dataDir }, { hasProbe });
  await server.start();
  const client = createClient(server.url);
  const { token } = await client.call(auth.signIn, { body: ADMIN });
  client.useToken(token);
  const pool = new pg.Pool({ ...server.connection(), max: LANES });
  const readRow = async <R extends object>(text: string) => (await pool.query(text)).rows[0] as R;
  const idOf = async (text: string) => (await readRow<{ id: string }>(text)).id;
  const stop = async () => {
    await pool.end();
    await server.remove();
  };
  return { server, client, token, pool, readRow, idOf, stop };
}
type Generated = Awaited<ReturnType<typeof startGenerated>>;

/**
 * What is measured by its name: a path, and the bare statement that it is compared with, measured right before it. With
 * a body it is sent; without a token the admin asks.
 */
export type Cases = Record<string, { path: string; bare: () => Promise<unknown>; body?: object; token?: string }>;

/**
 * Prints a line for each case: latency at concurrency 4 in ms, the ratio of its median to that of the bare statement,
 * and the processor time of an answer in ms, of server and PostgreSQL together, which depends less on what else the
 * machine does.
 */
export async function measureEach({ server, token }: Generated, cases: Cases) {
  for (const [name, { path, bare, body: sent, token: ofCase }] of Object.entries(cases).filter(([name]) =>
    isChosen(name),
  )) {
    const headers = { authorization: `Bearer ${ofCase ?? token}`, ...(sent && { "content-type": "application/json" }) };
    const request = { headers, ...(sent && { method: "POST", body: JSON.stringify(sent) }) };
    const get = async () => {
      const reply = await fetch(server.url + path, request);
      const body = await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${Buffer.from(body).toString()}`);
    };
    await get();
    const figures = [];
    for (let n = 0; n < ROUNDS; n++) {
      const plain = await load(LANES, SECONDS / 4, bare);
      const processes = processTreeOf(server.pid() as number);
      const cpuBefore = cpuSeconds(processes);
      const ours = await load(LANES, SECONDS, get);
      const cpu = (1000 * (cpuSeconds(processes) - cpuBefore)) / ours.count;
      figures.push({ ...ours, cpu, ratio: ours.p50 / plain.p50 });
    }
    console.log(
      JSON.stringify({
        name,
        ratioToBare: round(median(figures.map(({ ratio }) => ratio)), 0),
        p50: round(median(figures.map(({ p50 }) => p50)), 1),
        p95: round(median(figures.map(({ p95 }) => p95)), 1),
        cpu: round(median(figures.map(({ cpu }) => cpu)), 0),
      }),
    );
  }
}

/** An export as a ratio to a statement that copies the same rows, and the memory that the server grows by meanwhile. */
export async function measureExport({ server, token }: Generated, path: string, copy: () => Promise<unknown>) {
  const rss = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) {
    const copyAt = performance.now();
    await copy();
    const copyMs = performance.now() - copyAt;
    const idle = rss();
    let peak = idle;
    const timer = setInterval(() => (peak = Math.max(peak, rss())), 20);
    const sentAt = performance.now();
    const reply = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    let bytes = 0;
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    const ms = performance.now() - sentAt;
    clearInterval(timer);
    rounds.push({ rows: Number(reply.headers.get("x-rows")), bytes, ms, ratio: ms / copyMs, grownMb: peak - idle });
  }
  return {
    rows: rounds[0]?.rows,
    megabytes: round((rounds[0]?.bytes ?? 0) / 1024 ** 2, 1),
    ms: round(median(rounds.map(({ ms }) => ms)), 0),
    ratioToCopy: round(median(rounds.map(({ ratio }) => ratio)), 1),
    grownMb: round(Math.max(...rounds.map(({ grownMb }) => grownMb)), 0),
  };
}
