import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
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
/**
 * The headless shell of Chromium from its npm package, unpacked once; null where it does not run, as where libraries
 * are missing.
 */
function unpackShell(): string | null {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const modules = join(import.meta.dirname, "../node_modules");
  const folder = join(modules, "@sparticuz/chromium");
  const { version } = createRequire(import.meta.url)(join(folder, "package.json")) as { version: string };
  const path = join(modules, ".cache/chromium", `shell-${version}`);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    const part = `${path}.${process.pid}`;
    writeFileSync(part, brotliDecompressSync(readFileSync(join(folder, "bin/chromium.br"))), { mode: 0o755 });
    renameSync(part, path);
  }
  return spawnSync(path, ["--version"]).status === 0 ? path : null;
}

const succeeds = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;

/**
 * Path of a Chromium: from CHROMIUM, from an npm package, on the machine, or installed now (as root on Debian the
 * package, otherwise that of Playwright).
 */
export function findChromium(): string | null {
  const named = process.env.CHROMIUM;
  if (named) return existsSync(named) ? named : null;
  const shell = unpackShell();
  if (shell) return shell;
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
