import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auth } from "#shared/auth.ts";
import { events } from "#shared/events.ts";
import { createClient } from "#test/client.ts";
import { draftInput } from "#test/events.ts";
import { ADMIN, createProcess } from "#test/process.ts";
import { load, median, round } from "./_load.ts";

/**
 * Public pages. First the cost of server-side rendering: pages per second, as a ratio to the same page without content, which a
 * visitor with a session cookie gets. Then Lighthouse with its simulated slow phone: the scores, and the largest contentful paint
 * as a ratio to the same page rendered in the browser. Lighthouse is run by `npx` and is not a dependency.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const SECONDS = Number(process.env.SECONDS ?? 4);
const LIGHTHOUSE = process.env.LIGHTHOUSE ?? "lighthouse@13.5.0";
const LANES = 10;

const server = await createProcess();
await server.start();
const client = createClient(server.url);
client.useToken((await client.call(auth.signIn, { body: ADMIN })).token);
for (let n = 0; n < 12; n++) {
  const event = await client.call(events.create, {
    body: draftInput({
      title: `Talk ${n}`,
      slug: `talk-${n}`,
      summary: "An hour with people who do it every day.",
      description: "Words about it. ".repeat(60),
    }),
  });
  await client.call(events.publish, { params: { id: event.id }, body: { version: event.version } });
}
const paths = ["/", "/login", "/events", "/events/talk-3"];
const session = "lyceum.session_token=nobody";
const page = (path: string, cookie?: string) => async () =>
  void (await (await fetch(server.url + path, cookie ? { headers: { cookie } } : {})).arrayBuffer());

const costs = new Map<string, { ratio: number[]; rate: number[]; p99: number[] }>(
  paths.map((path) => [path, { ratio: [], rate: [], p99: [] }]),
);
for (let n = 0; n < ROUNDS; n++) {
  for (const [path, { ratio, rate, p99 }] of costs) {
    const withoutContent = await load(LANES, SECONDS, page(path, session));
    const rendered = await load(LANES, SECONDS, page(path));
    ratio.push(rendered.rate / withoutContent.rate);
    rate.push(rendered.rate);
    p99.push(rendered.p99);
  }
}
for (const [path, { ratio, rate, p99 }] of costs) {
  console.log(
    `rendered ${path.padEnd(16)} ratio to the page without content ${round(median(ratio))}, ${Math.round(median(rate))} per second, p99 ${Math.round(median(p99))} ms`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
type Figures = { scores: number[]; fcp: number; lcp: number; tbt: number; cls: number };
type Report = { categories: Record<string, { score: number }>; audits: Record<string, { numericValue: number }> };
function lighthouse(path: string, cookie?: string, tries = 3): Figures | null {
  const out = join(folder, "report.json");
  rmSync(out, { force: true });
  const headers = cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : [];
  const chrome = process.env.CHROMIUM ? [`--chrome-path=${process.env.CHROMIUM}`] : [];
  const result = spawnSync(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      server.url + path,
      "--quiet",
      "--output=json",
      `--output-path=${out}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-background-networking",
      ...chrome,
      ...headers,
    ],
    { stdio: "ignore" },
  );
  // Sometimes the trace of Chromium lacks its beginning, and there is no score.
  if (result.status !== 0 && tries > 1) return lighthouse(path, cookie, tries - 1);
  // Lighthouse is not installed and there is no network, or there is no Chromium.
  if (!existsSync(out)) return null;
  const { categories, audits } = JSON.parse(readFileSync(out, "utf8")) as Report;
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    scores: ["performance", "accessibility", "best-practices", "seo"].map((name) => categories[name]?.score ?? 0),
    fcp: value("first-contentful-paint"),
    lcp: value("largest-contentful-paint"),
    tbt: value("total-blocking-time"),
    cls: value("cumulative-layout-shift"),
  };
}
for (const path of paths) {
  const inBrowser = lighthouse(path, session);
  const onServer = inBrowser
    ? Array.from({ length: ROUNDS }, () => lighthouse(path)).filter((figures) => figures !== null)
    : [];
  if (!inBrowser || onServer.length === 0) {
    console.log(
      `lighthouse ${path.padEnd(16)} not run: ${LIGHTHOUSE} or Chromium did not answer (LIGHTHOUSE and CHROMIUM say where they are)`,
    );
    continue;
  }
  const medianOf = (pick: (figures: Figures) => number) => median(onServer.map(pick));
  const scores = [0, 1, 2, 3].map((index) => Math.round(medianOf(({ scores }) => scores[index] ?? 0) * 100));
  console.log(
    `lighthouse ${path.padEnd(16)} performance ${scores[0]}, accessibility ${scores[1]}, best practices ${scores[2]}, SEO ${scores[3]}; ` +
      `first paint ${Math.round(medianOf(({ fcp }) => fcp))} ms, largest ${Math.round(medianOf(({ lcp }) => lcp))} ms, blocked ${Math.round(medianOf(({ tbt }) => tbt))} ms, shift ${round(medianOf(({ cls }) => cls))}; ` +
      `largest paint as a ratio to rendering in the browser ${round(medianOf(({ lcp }) => lcp) / inBrowser.lcp)}`,
  );
}
rmSync(folder, { recursive: true, force: true });
await server.remove();
