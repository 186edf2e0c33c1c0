import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ImportFailure, LeftBehind } from "#shared/lessons/transfer/transfer.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";

export type ReadPicture = { placeholder: string; name: string; type: string; bytes: Uint8Array };
/** Modules without a title belong to no heading. */
export type ReadModule = { title: string; lessons: { title: string; blocks: LessonBlock[] }[] };
export type ReadCourse = { modules: ReadModule[]; pictures: ReadPicture[]; leftBehind: LeftBehind[] };
/** `level`: the headings that begin lessons. */
export type ReadOrder = { path: string; name: string; level: 1 | 2 };
export type ReadMessage = ({ type: "read" } & ReadCourse) | { type: "failed"; code: ImportFailure };

export class UnreadableDocument extends Error {
  code: ImportFailure;
  constructor(code: ImportFailure) {
    super(code);
    this.code = code;
  }
}

const ROOT = join(import.meta.dirname, "../../../..");
/** Maximum resident memory of the reader, watched from outside, because heap limits exclude buffers. */
const MAX_BYTES = 700 * 1024 ** 2;
const HEAP_MEGABYTES = 384;
const WATCH_MS = 100;
const TIMEOUT_MS = 30_000;
const PAGE_BYTES = 4096;

/**
 * Reads Word, Markdown or HTML as lessons in a separate process that can access only the file and the program: no
 * network, no writing, no other processes. Throws an `UnreadableDocument`.
 */
export function readDocument(order: ReadOrder): Promise<ReadCourse> {
  const child = fork(join(import.meta.dirname, "readChild.ts"), [], {
    execArgv: [
      `--max-old-space-size=${HEAP_MEGABYTES}`,
      "--permission",
      `--allow-fs-read=${ROOT}`,
      `--allow-fs-read=${order.path}`,
      "--disable-warning=ExperimentalWarning",
    ],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let message: ReadMessage | null = null;
  const fail = () => {
    message = { type: "failed", code: "tooMuchWork" };
    child.kill("SIGKILL");
  };
  const timeout = setTimeout(fail, TIMEOUT_MS);
  const watch = setInterval(() => {
    void memoryOf(child.pid).then((bytes) => bytes > MAX_BYTES && fail());
  }, WATCH_MS);
  child.on("message", (sent: ReadMessage) => {
    message ??= sent;
  });
  return new Promise<ReadCourse>((resolve, reject) => {
    child.once("error", reject);
    // `close` comes after the last message; `exit` may come earlier.
    child.once("close", () => {
      if (message?.type === "read") resolve(message);
      // V8 ends the process when the heap or the stack is full.
      else reject(new UnreadableDocument(message?.code ?? "tooMuchWork"));
    });
    child.send(order);
  }).finally(() => {
    clearTimeout(timeout);
    clearInterval(watch);
    if (child.exitCode === null) child.kill("SIGKILL");
  });
}

/** Resident memory of a process in bytes; 0 if the system does not provide it. */
async function memoryOf(pid: number | undefined) {
  const statistics = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  return Number(statistics.split(" ")[1] ?? 0) * PAGE_BYTES;
}
