import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, expect } from "@playwright/test";

const BROWSER_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

/** A browser with a profile of its own, which stays when all its processes are killed. */
export function killableBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "lyceum-browser-"));
  let context: BrowserContext | null = null;
  /** The processes of the browser, the first one first. */
  const processes = () => spawnSync("pgrep", ["-f", folder]).stdout.toString().split("\n").filter(Boolean).map(Number);
  return {
    async open() {
      const executablePath = process.env.CHROMIUM ?? "";
      context = await chromium.launchPersistentContext(folder, { executablePath, args: BROWSER_ARGS });
      return context.pages()[0] ?? context.newPage();
    },
    close: () => context?.close(),
    /** Ends all processes immediately; returns when, in ms. */
    kill() {
      const pids = processes();
      const killedAt = Date.now();
      for (const pid of pids) process.kill(pid, "SIGKILL");
      return killedAt;
    },
    /** Waits until the killed processes have ended, so that the profile can be opened again. */
    async ended() {
      await context?.close().catch(() => {});
      await expect.poll(processes).toEqual([]);
      rmSync(join(folder, "SingletonLock"), { force: true });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
