import { defineConfig } from "@playwright/test";
import { isLong } from "#test/long.ts";

/** User journeys in a real Chromium. Each file starts a server of its own (see server.ts). */
export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  globalSetup: "./globalSetup.ts",
  workers: 2,
  // Slow machines cause random failures; tests that needed a retry are listed at the end of the run.
  retries: 1,
  fullyParallel: false,
  // Journeys that vary another one, or what the API tests hold as well, run in `npm run test:long` only.
  ...(!isLong && { grepInvert: /@long/ }),
  timeout: 120_000,
  expect: { timeout: 15_000 },
  outputDir: "../test-results/e2e",
  reporter: [["list"], ["json", { outputFile: "../test-results/e2e.json" }]],
  use: {
    viewport: { width: 1440, height: 900 },
    // Animations take a seventh of the processor time.
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
