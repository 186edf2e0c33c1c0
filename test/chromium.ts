import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const try_ = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;

/** Path of a Chromium: from CHROMIUM, an installed one, Playwright's own, or (as root) Debian's package. */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM;
  if (named) return existsSync(named) ? named : null;
  const here = () => [...places, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
  const found = here();
  if (found) return found;
  process.stdout.write("Installing a Chromium for the browser tests\n");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    if (!try_("apt-get", ["install", "-y", "--no-install-recommends", "chromium"])) {
      try_("apt-get", ["update"]);
      try_("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
    }
  }
  if (!here()) try_(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  return here();
}
