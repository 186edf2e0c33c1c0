import { fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ParserFailure } from "#server/documents/parsing/parserFailure.ts";
import type { ReadText } from "#server/documents/parsing/readText.ts";
import type { DocumentKind, FailureCode } from "#shared/documents/documentVersions.ts";

/**
 * The file to read; `name` distinguishes kinds of plain text. `isOfCourse`: a page of a course, whose questions are
 * left out.
 */
export type ParserOrder = { path: string; name: string; isOfCourse?: boolean };
export type ParserMessage =
  | { type: "kind"; kind: DocumentKind }
  | { type: "page"; done: number; total: number }
  | ({ type: "text" } & ReadText)
  | { type: "failed"; code: FailureCode; page: number | null };

const ROOT = join(import.meta.dirname, "../../..");
/** Maximum resident memory of the parser, watched from outside, because heap limits exclude buffers. */
const MAX_BYTES = 700 * 1024 ** 2;
const HEAP_MEGABYTES = 384;
const WATCH_MS = 100;
const TIMEOUT_MS = 120_000;
/** Largest text of a document. */
export const MAX_CHARS = 20_000_000;

type Options = {
  onKind?: (kind: DocumentKind) => void;
  onPage?: (done: number, total: number) => void;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
};
type Parsed = { kind: DocumentKind; read: ReadText };

/**
 * Reads a document in a separate process that can access only the file and the program: no network, no writing, no
 * other processes. Throws a `ParserFailure` for a document that cannot be read, or that takes too much memory or time.
 */
export function parseDocument(order: ParserOrder, options: Options = {}): Promise<Parsed> {
  const { onKind, onPage, signal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const child = fork(join(import.meta.dirname, "parserChild.ts"), [], {
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
  let kind: DocumentKind = "unknown";
  let result: ReadText | null = null;
  let failure: ParserFailure | null = null;
  const end = (code: FailureCode) => {
    failure ??= new ParserFailure(code);
    child.kill("SIGKILL");
  };
  const abort = () => end("parserCrash");
  signal?.addEventListener("abort", abort);
  const timeout = setTimeout(() => end("parserTimeout"), timeoutMs);
  const watch = setInterval(() => {
    void memoryOf(child.pid).then((bytes) => bytes > maxBytes && end("parserMemory"));
  }, WATCH_MS);
  child.on("message", (message: ParserMessage) => {
    if (message.type === "kind") {
      kind = message.kind;
      onKind?.(kind);
    } else if (message.type === "page") onPage?.(message.done, message.total);
    else if (message.type === "failed") failure ??= new ParserFailure(message.code, message.page);
    else result = { text: message.text, blocks: message.blocks, pages: message.pages };
  });
  return new Promise<Parsed>((resolve, reject) => {
    child.once("error", reject);
    // `close` comes after the last message, `exit` need not.
    child.once("close", (code, killed) => {
      if (failure) return reject(failure);
      if (result && result.text.length > MAX_CHARS) return reject(new ParserFailure("tooLong"));
      if (result) return resolve({ kind, read: result });
      // V8 ends the process when the heap is full.
      reject(new ParserFailure(killed === "SIGABRT" || code === 134 ? "parserMemory" : "parserCrash"));
    });
    child.send(order);
  }).finally(() => {
    clearTimeout(timeout);
    clearInterval(watch);
    signal?.removeEventListener("abort", abort);
    if (child.exitCode === null) child.kill("SIGKILL");
  });
}

const PAGE_BYTES = 4096;
/** Resident memory of a process in bytes; 0 if the system does not provide it. */
async function memoryOf(pid: number | undefined) {
  const statistics = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
  return Number(statistics.split(" ")[1] ?? 0) * PAGE_BYTES;
}
