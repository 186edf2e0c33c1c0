import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#test/process.ts";
import { median, round } from "./_load.ts";

/**
 * Time from `node server/main.ts` to the first successful health check: cold (no data folder: initdb, migrations), with
 * demo content, warm (a stopped server), and after `kill -9` (the database is adopted). As a ratio to a Node process
 * that only answers HTTP.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
const root = join(import.meta.dirname, "..");

async function measureStart(args: string[], env: Record<string, string>, path: string, signal: NodeJS.Signals) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, PORT: String(port), CONTENT_PORT: String(await freePort()), LOG_LEVEL: "error", ...env },
  });
  while (
    !(await fetch(`http://127.0.0.1:${port}${path}`).then(
      (reply) => reply.ok,
      () => false,
    ))
  )
    await sleep(10);
  const ms = performance.now() - startedAt;
  child.kill(signal);
  await new Promise((resolve) => child.once("exit", resolve));
  return ms;
}
const bare = () =>
  measureStart(
    ["-e", "require('http').createServer((q, r) => r.end('{}')).listen(process.env.PORT)"],
    {},
    "/",
    "SIGKILL",
  );
const server = (name: string, demo: boolean, signal: NodeJS.Signals) =>
  measureStart(
    ["server/main.ts"],
    { DATA_DIR: join(folder, name), DEMO: String(demo), DEMO_PASSWORD: "benchmark", ADMIN_PASSWORD: "benchmark" },
    "/api/health",
    signal,
  );

const all: Record<string, number[]> = { bareNode: [], cold: [], coldWithDemo: [], warm: [], afterKill: [] };
for (let n = 0; n < ROUNDS; n++) {
  all.bareNode?.push(await bare());
  all.cold?.push(await server(`cold-${n}`, false, "SIGTERM"));
  all.warm?.push(await server(`cold-${n}`, false, "SIGKILL"));
  all.afterKill?.push(await server(`cold-${n}`, false, "SIGTERM"));
  all.coldWithDemo?.push(await server(`demo-${n}`, true, "SIGTERM"));
}
const base = median(all.bareNode ?? []);
console.log(
  JSON.stringify(
    Object.fromEntries(
      Object.entries(all).map(([name, times]) => [
        name,
        { ms: round(median(times), 0), timesBareNode: round(median(times) / base, 1) },
      ]),
    ),
  ),
);
rmSync(folder, { recursive: true, force: true });
