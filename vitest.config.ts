import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { textImports } from "./scripts/_textImports.ts";

/** Whole-server tests on one PostgreSQL; every file has a database of its own, so files run side by side. */
export default defineConfig({
  plugins: [textImports],
  // At full cost a password takes 19 ms of processor time to hash, and again at each login.
  resolve: { alias: { "@node-rs/argon2": join(import.meta.dirname, "test/cheapArgon2.ts") } },
  test: {
    include: ["server/**/*.test.ts", "shared/**/*.test.ts", "test/**/*.test.ts", "web/**/*.test.{ts,tsx}"],
    globalSetup: ["test/database.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Modules are loaded once per worker, which halves the CPU time. They hold no state that a test may rely on.
    isolate: false,
  },
});
