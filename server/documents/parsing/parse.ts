import { join } from "node:path";
import { forkIsolated, limitProcess } from "#server/core/isolatedProcess.ts";
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

/** Maximum resident memory of the parser. */
const MAX_BYTES = 700 * 1024 ** 2;
const HEAP_MEGABYTES = 384;
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
  const child = forkIsolated(join(import.meta.dirname, "parserChild.ts"), order.path, HEAP_MEGABYTES);
  let kind: DocumentKind = "unknown";
  let result: ReadText | null = null;
  let failure: ParserFailure | null = null;
  const end = (code: FailureCode) => {
    failure ??= new ParserFailure(code);
    child.kill("SIGKILL");
  };
  const abort = () => end("parserCrash");
  signal?.addEventListener("abort", abort);
  const stop = limitProcess(child, { timeoutMs, maxBytes }, (limit) =>
    end(limit === "time" ? "parserTimeout" : "parserMemory"),
  );
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
    stop();
    signal?.removeEventListener("abort", abort);
  });
}
