import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findChromium } from "#test/chromium.ts";
import { createMemoryFolder } from "#test/memoryFolder.ts";

/**
 * Everything that `npm test` runs, fast checks first: types, formatting, lint, generated types, the server and
 * structure tests, then the browser tests. What fails is run once more, a browser test by itself and a server test with
 * its file, and is named at the end. `long` runs the same at full length (test/long.ts). The last line is
 * `N passed, N failed`.
 */
const [part = "all", ...rest] = process.argv.slice(2);
const root = join(import.meta.dirname, "..");
const reports = join(root, "test-results");
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
let passed = 0;
let failed = 0;
/** Tests that failed or needed a retry, printed at the end; the details are above. */
const summary: string[] = [];

process.env.TMPDIR = createMemoryFolder();
const run = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status === 0;
const count = (ok: boolean, name: string) => {
  if (ok) passed++;
  else {
    failed++;
    summary.push(`failed: ${name}`);
  }
  process.stdout.write(`${ok ? "ok    " : "FAILED"} ${name}\n`);
};
const readReport = <T>(name: string): T | null => {
  try {
    return JSON.parse(readFileSync(join(reports, name), "utf8")) as T;
  } catch {
    return null;
  }
};

type Spec = { file: string; title: string; tests: { status: string; results: { error?: { message?: string } }[] }[] };
type Suite = { specs: Spec[]; suites?: Suite[] };
const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)];
const firstLine = (message = "") => stripVTControlCharacters(message).split("\n")[0];

function check() {
  count(run(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."]), "types of server, shared and tests");
  count(run(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "web"]), "types of the browser part");
  count(run(["node_modules/prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."]), "formatting");
  count(
    run([
      "node_modules/oxlint/bin/oxlint",
      "--deny-warnings",
      "server",
      "shared",
      "web",
      "test",
      "e2e",
      "scripts",
      "bench",
    ]),
    "lint",
  );
  count(run(["scripts/conventions.ts"]), "conventions: line length, cycles of imports, titles of tests, banned words");
  count(run(["scripts/texts.ts", "--check"]), "shared/locales/catalogue.ts lists the files of texts");
  count(run(["scripts/db-types.ts", "--check"]), "database types and docs/schema.sql are those of the migrations");
}

type ServerTest = { fullName: string; status: string; failureMessages: string[] };
type ServerReport = { testResults: { name: string; status: string; assertionResults: ServerTest[] }[] };

/** More files than this do not fail by chance, and are not run again. */
const MAX_REPEATED_FILES = 5;

/** Runs test files, all by default; returns the results by file, or null if the run did not come to its end. */
function runServerTests(files: string[]) {
  const name = files.length === 0 ? "api.json" : "api-repeated.json";
  const output = ["--reporter=default", "--reporter=json", `--outputFile.json=test-results/${name}`];
  const ok = run(["node_modules/vitest/vitest.mjs", "run", ...output, ...(files.length === 0 ? rest : files)]);
  const report = readReport<ServerReport>(name);
  if (!report) return null;
  const results = new Map(report.testResults.map((result) => [relative(root, result.name), result]));
  const hasFailed = [...results.values()].some(({ status }) => status === "failed");
  return ok || hasFailed ? results : null;
}

function serverTests() {
  const results = runServerTests([]);
  if (!results) return count(false, "the server tests did not run to their end");
  const failedFiles = [...results].flatMap(([file, { status }]) => (status === "failed" ? file : []));
  const isRepeated = failedFiles.length > 0 && failedFiles.length <= MAX_REPEATED_FILES;
  const repeated = isRepeated ? runServerTests(failedFiles) : null;
  for (const [file, first] of results) {
    const last = repeated?.get(file) ?? first;
    passed += last.assertionResults.filter(({ status }) => status === "passed").length;
    const firstFailures = first.assertionResults.filter(({ status }) => status === "failed");
    const lastFailures = last.assertionResults.filter(({ status }) => status === "failed");
    failed += lastFailures.length;
    for (const { fullName, failureMessages } of lastFailures)
      summary.push(`failed: ${file} › ${fullName}: ${firstLine(failureMessages[0])}`);
    if (last.status === "failed" && lastFailures.length === 0) count(false, `${file} did not run to its end`);
    if (last.status === "failed") continue;
    for (const { fullName, failureMessages } of firstFailures)
      summary.push(`passed only at the second try: ${file} › ${fullName}: ${firstLine(failureMessages[0])}`);
  }
}

function browserTests() {
  const chromium = findChromium();
  if (!chromium) {
    count(false, "no Chromium found: install one and set CHROMIUM to its path");
    return;
  }
  const ok = run(["node_modules/@playwright/test/cli.js", "test", "--config", "e2e/playwright.config.ts", ...rest], {
    CHROMIUM: chromium,
  });
  const report = readReport<{ stats: { expected: number; unexpected: number; flaky: number }; suites: Suite[] }>(
    "e2e.json",
  );
  passed += (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0);
  failed += report?.stats.unexpected ?? 0;
  for (const { file, title, tests } of (report?.suites ?? []).flatMap(specsOf)) {
    for (const { status, results } of tests) {
      if (status === "unexpected" || status === "flaky")
        summary.push(
          `${status === "flaky" ? "passed only at the second try" : "failed"}: e2e/${file} › ${title}: ${firstLine(results[0]?.error?.message)}`,
        );
    }
  }
  if (!ok && !report?.stats.unexpected) count(false, "the browser tests did not run to their end");
}

if (part === "long") process.env.LONG = "true";
const isWhole = part === "all" || part === "long";
if (isWhole || part === "check") check();
if (isWhole || part === "api") serverTests();
if (isWhole || part === "e2e") browserTests();
if (summary.length > 0) process.stdout.write(`\n${summary.join("\n")}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
