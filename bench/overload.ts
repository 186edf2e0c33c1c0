import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { auth } from "#shared/auth/auth.ts";
import { createClient } from "#test/client.ts";
import { openClass } from "#test/openClass.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { startBusyProcesses, startMixedLoad } from "#test/overload.ts";
import { startGenerated } from "./_generated.ts";
import { load, median, round } from "./_load.ts";
import { openSessions } from "./_sessions.ts";

/**
 * How overload affects learners: the 95th percentile of a commit while an admin and guests ask for more than the
 * machine can do, without and with 24 other processes that use all the processor time they get, as a ratio to the one right
 * before it; and the answers of everything else by status. `BEFORE=folder`: another version of the code, measured in
 * the same rounds. `PERCENT`: share of the generator's data.
 */
const LEARNERS = 10;
const SECONDS = Number(process.env.SECONDS ?? 8);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const BUSY = 24;
const LANES = { pages: 6, reports: 12, exports: 8, guests: 12 };

const generated = await startGenerated(["session_events"]);
const source = generated.server.dataDir;
// The server may end first.
generated.pool.on("error", () => {});
await generated.stop();
const versions = { before: process.env.BEFORE, now: join(import.meta.dirname, "..") };
const results: { version: string; phase: string; ratio: number; p50: number; p95: number; quietP95: number }[] = [];
for (let n = 0; n < ROUNDS; n++)
  for (const [version, root] of Object.entries(versions)) if (root) await measure(version, root);
for (const version of Object.keys(versions))
  for (const phase of new Set(results.map(({ phase }) => phase))) {
    const rows = results.filter((row) => row.version === version && row.phase === phase);
    if (rows.length === 0) continue;
    const of = (key: "ratio" | "p50" | "p95" | "quietP95") => round(median(rows.map((row) => row[key])), 1);
    const ratios = rows.map(({ ratio }) => round(ratio, 1));
    console.log(JSON.stringify({ version, phase, ratio: of("ratio"), ratios, p50: of("p50"), p95: of("p95") }));
  }

async function measure(version: string, root: string) {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
  const dataDir = join(folder, "data");
  // The folder of the database keeps the account that it belongs to.
  execFileSync("cp", ["-a", source, dataDir]);
  const server = await createProcess({ LOG_LEVEL: "fatal", DATA_DIR: dataDir }, { hasProbe: true, root });
  await server.start();
  const people = await openClass(server.url, 3);
  const { post, close } = await openSessions(server.url, LEARNERS);
  const { token: admin } = await createClient(server.url).call(auth.signIn, { body: ADMIN });
  await load(LEARNERS, 2, post);
  const measurePhase = async (phase: string, quietP95: number) => {
    await server.readProbe();
    let refused = 0;
    const figures = await load(LEARNERS, SECONDS, (lane) => post(lane).catch(() => void refused++));
    const { loopDelayMs, connectionWaitMs } = await server.readProbe();
    const { p50, p95 } = figures;
    const row = { version, phase, ratio: p95 / (quietP95 || p95), p50, p95, quietP95: quietP95 || p95 };
    results.push(row);
    return {
      ...row,
      refused,
      rate: round(figures.rate),
      loopDelayMs: round(loopDelayMs),
      connectionWaitMs: round(connectionWaitMs),
    };
  };
  const print = (row: object) =>
    console.log(JSON.stringify({ ...row, load: loadavg().map((value) => round(value, 1)) }));
  const quiet = await measurePhase("quiet", 0);
  print(quiet);
  const mixed = await startMixedLoad(server, admin, people, LANES);
  const loaded = await measurePhase("mixed load", quiet.p95);
  print({ ...loaded, answers: await mixed.stop() });
  const end = startBusyProcesses(BUSY);
  print(await measurePhase("24 busy processes", quiet.p95));
  const mixedAndBusy = await startMixedLoad(server, admin, people, LANES);
  const both = await measurePhase("both", quiet.p95);
  const answers = mixedAndBusy.stop();
  end();
  print({ ...both, answers: await answers });
  close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
