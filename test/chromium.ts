import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const paths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const succeeds = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;

/** Path of a Chromium: from CHROMIUM, on the machine, or installed now (as root on Debian the package, otherwise that of Playwright). */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM;
  if (named) return existsSync(named) ? named : null;
  const findInstalled = () => [...paths, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
  const found = findInstalled();
  if (found) return found;
  process.stdout.write("Installing a Chromium for the browser tests\n");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    if (!succeeds("apt-get", ["install", "-y", "--no-install-recommends", "chromium"])) {
      succeeds("apt-get", ["update"]);
      succeeds("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
    }
  }
  if (!findInstalled()) succeeds(process.execPath, ["node_modules/@playwright/test/cli.js", "install", "chromium"]);
  return findInstalled();
}
