import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SHARED_MEMORY = "/dev/shm";
const PREFIX = "lyceum-test-run-";
/** What the tests may need at once: databases, uploads, browser profiles. */
const NEEDED_BYTES = 8 * 1024 ** 3;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A killed run may have left a mounted disk, which cannot be removed. */
function removeFolder(folder: string) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    process.stderr.write(`${folder} of a killed test run stays: ${String(error)}\n`);
  }
}

/**
 * A folder for the temporary files of a test run: in memory where there is plenty, where a database is created in a
 * tenth of the time. It is removed when this process ends; folders of runs that were killed are removed by the next
 * one.
 */
export function createMemoryFolder(): string {
  if (process.env.TMPDIR || !existsSync(SHARED_MEMORY)) return tmpdir();
  for (const name of readdirSync(SHARED_MEMORY))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      removeFolder(join(SHARED_MEMORY, name));
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  if (Math.min(bavail * bsize, process.availableMemory()) < NEEDED_BYTES) return tmpdir();
  const folder = join(SHARED_MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { mode: 0o755 });
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
