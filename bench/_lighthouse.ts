import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findChromium } from "#test/chromium.ts";
import { median } from "./_load.ts";

/** Lighthouse is run by `npx` and is not a dependency. */
export const LIGHTHOUSE = process.env.LIGHTHOUSE ?? "lighthouse@13.5.0";

/** Times in ms on a simulated slow phone without a cache; `bytes` as transferred; scores from 0 to 1. */
export type Figures = {
  scores: number[];
  fcp: number;
  lcp: number;
  ready: number;
  tbt: number;
  cls: number;
  bytes: number;
  requests: number;
};
type Report = {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue: number; details?: { items?: unknown[] } }>;
};

/**
 * Opens a page, with a cookie if there is one. Null if Lighthouse is not installed and there is no network, or there is
 * no Chromium.
 */
export function measurePage(url: string, cookie?: string, tries = 3): Figures | null {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-bench-"));
  try {
    const out = join(folder, "report.json");
    const headers = cookie ? [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : [];
    const chromium = process.env.CHROME_PATH ?? findChromium();
    const flags = "--chrome-flags=--headless=new --no-sandbox --disable-background-networking";
    const options = ["--quiet", "--output=json", `--output-path=${out}`, flags, ...headers];
    const result = spawnSync("npx", ["--yes", LIGHTHOUSE, url, ...options], {
      stdio: "ignore",
      env: { ...process.env, ...(chromium && { CHROME_PATH: chromium }) },
    });
    // Sometimes the trace of Chromium lacks its beginning, and there is no score.
    if (result.status !== 0 && tries > 1) return measurePage(url, cookie, tries - 1);
    return existsSync(out) ? figuresOf(JSON.parse(readFileSync(out, "utf8")) as Report) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf({ categories, audits }: Report): Figures {
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    scores: ["performance", "accessibility", "best-practices", "seo"].map((name) => categories[name]?.score ?? 0),
    fcp: value("first-contentful-paint"),
    lcp: value("largest-contentful-paint"),
    ready: value("interactive"),
    tbt: value("total-blocking-time"),
    cls: value("cumulative-layout-shift"),
    bytes: value("total-byte-weight"),
    requests: audits["network-requests"]?.details?.items?.length ?? Number.NaN,
  };
}

export const medianOf = (figures: Figures[], pick: (figures: Figures) => number) => median(figures.map(pick));
