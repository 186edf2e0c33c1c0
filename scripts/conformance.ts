import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { hasSequencingCases, replaySequencing } from "./_sequencingCases.ts";
import { hashToken } from "#server/core/secrets.ts";
import { RECORD_STORE_PATH } from "#shared/statements/statements.ts";
import { createProcess } from "#test/process.ts";

// `npm run conformance -- FOLDER [ROUNDS]` runs a public conformance suite (docs/conformance.md). If FOLDER is a copy of
// ADL's suite for SCORM 2004 4th Edition, its sequencing test cases are replayed. Otherwise FOLDER has the suite of
// xAPI with its dependencies, which runs against a server on an empty database of its own. What counts is the last line
// of that suite: its exit code is the number of failures modulo 256.

const VERSIONS = ["1.0.3", "2.0.0"];
const [folder, rounds = "1"] = process.argv.slice(2);
if (!folder) throw new Error("Which folder has the suite? npm run conformance -- FOLDER [ROUNDS]");
const suite = resolve(folder);
const git = (cwd: string) => execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd, encoding: "utf8" }).trim();

if (hasSequencingCases(suite)) {
  const isPassed = await replaySequencing(suite, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`${new Date().toISOString().slice(0, 10)}, Lyceum ${git(process.cwd())}\n`);
  process.exit(isPassed ? 0 : 1);
}

const server = await createProcess({ LOG_LEVEL: "error" });
try {
  await server.start();
  const companyId = randomUUID();
  await server.query(
    "insert into companies (id, name, slug, access_code) values ($1, 'Conformance', 'conformance', 'conformance')",
    [companyId],
  );
  await server.query(
    `insert into statement_clients (company_id, name, user_name, secret_hash, scopes)
    values ($1, 'Suite', 'suite', $2, '{all}')`,
    [companyId, hashToken("secret")],
  );
  for (let round = 1; round <= Number(rounds); round++)
    for (const version of VERSIONS) {
      const { result, seconds } = await run(version);
      const verdict = result.passed === result.total && result.total > 0 ? "passed" : "FAILED";
      process.stdout.write(
        `${verdict} ${version}: ${result.passed} of ${result.total} in ${seconds} s, ` +
          `${new Date().toISOString().slice(0, 10)}, Lyceum ${git(process.cwd())}, suite ${git(suite)}\n`,
      );
      if (verdict !== "passed") process.exitCode = 1;
    }
} finally {
  if (server.output()) process.stderr.write(server.output());
  await server.remove();
}

/** One run of the suite; its last line with `total` is the result. */
async function run(version: string) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      "bin/console_runner.js",
      "-e",
      server.url.replace("localhost", "127.0.0.1") + RECORD_STORE_PATH,
      ..."-a -u suite -p secret -z -x".split(" "),
      version,
    ],
    { cwd: suite, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  await new Promise((ended) => child.once("close", ended));
  const [line = ""] = output
    .split("\n")
    .filter((one) => one.includes('"total"'))
    .slice(-1);
  const result = JSON.parse(line.slice(line.indexOf("{"))) as { total: number; passed: number; failed: number };
  return { result, seconds: Math.round((performance.now() - started) / 1000) };
}
