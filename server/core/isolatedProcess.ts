import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Starts a module of the server in a process that can read only the program and one more path: no network, no writing,
 * no other processes. Messages are structured clones.
 */
export const forkIsolated = (module: string, readablePath: string, heapMegabytes: number): ChildProcess =>
  fork(module, [], {
    execArgv: [
      `--max-old-space-size=${heapMegabytes}`,
      "--permission",
      `--allow-fs-read=${ROOT}`,
      `--allow-fs-read=${readablePath}`,
      "--disable-warning=ExperimentalWarning",
    ],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });

type Limits = { timeoutMs: number; maxBytes: number };
const WATCH_MS = 100;

/**
 * Calls `onExceeded` once a process runs longer than `timeoutMs`, or has more than `maxBytes` of resident memory, which
 * is watched from outside because heap limits exclude buffers. The returned function ends the watch and the process.
 */
export function limitProcess(
  child: ChildProcess,
  { timeoutMs, maxBytes }: Limits,
  onExceeded: (limit: "time" | "memory") => void,
) {
  const timeout = setTimeout(() => onExceeded("time"), timeoutMs);
  const watch = setInterval(() => {
    void memoryOf(child.pid).then((bytes) => bytes > maxBytes && onExceeded("memory"));
  }, WATCH_MS);
  return () => {
    clearTimeout(timeout);
    clearInterval(watch);
    if (child.exitCode === null) child.kill("SIGKILL");
  };
}

const PAGE_BYTES = 4096;
/** Resident memory of a process in bytes; 0 if the system does not provide it. */
async function memoryOf(pid: number | undefined) {
  const statistics = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  return Number(statistics.split(" ")[1] ?? 0) * PAGE_BYTES;
}
