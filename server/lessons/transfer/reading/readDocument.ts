import { join } from "node:path";
import { forkIsolated, limitProcess } from "#server/core/isolatedProcess.ts";
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

/** Maximum resident memory of the reader. */
const MAX_BYTES = 700 * 1024 ** 2;
const HEAP_MEGABYTES = 384;
const TIMEOUT_MS = 30_000;

/**
 * Reads Word, Markdown or HTML as lessons in a separate process that can access only the file and the program: no
 * network, no writing, no other processes. Throws an `UnreadableDocument`.
 */
export function readDocument(order: ReadOrder): Promise<ReadCourse> {
  const child = forkIsolated(join(import.meta.dirname, "readChild.ts"), order.path, HEAP_MEGABYTES);
  let message: ReadMessage | null = null;
  const fail = () => {
    message = { type: "failed", code: "tooMuchWork" };
    child.kill("SIGKILL");
  };
  const stop = limitProcess(child, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }, fail);
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
  }).finally(stop);
}
