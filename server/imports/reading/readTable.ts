import { join } from "node:path";
import { forkIsolated, limitProcess } from "#server/core/isolatedProcess.ts";
import type { Encoding } from "#server/imports/reading/decodeFile.ts";
import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";
import type { FileFailure } from "#shared/imports/imports.ts";

export type TableRow = { number: number; cells: string[] };
export type TableHead = {
  format: "csv" | "xlsx";
  delimiter: string | null;
  encoding: Encoding | null;
  head: string[];
};
export type TableMessage =
  | ({ type: "head" } & TableHead)
  | { type: "rows"; rows: TableRow[] }
  | { type: "end" }
  | { type: "failed"; code: FileFailure; row: number | null };

/** Maximum resident memory of the reader. */
const MAX_BYTES = 700 * 1024 ** 2;
const HEAP_MEGABYTES = 448;
const TIMEOUT_MS = 120_000;

type Receiver = {
  onHead: (head: TableHead) => Promise<unknown>;
  onRows: (rows: TableRow[]) => Promise<unknown>;
};

/**
 * Reads a CSV or XLSX file in a separate process that can access only the file and the program: no network, no writing,
 * no other processes. Rows come in batches; the next is sent once the last is stored. Throws an `UnreadableFile`.
 */
export function readTable(path: string, { onHead, onRows }: Receiver, limits = { maxBytes: MAX_BYTES }) {
  const child = forkIsolated(join(import.meta.dirname, "tableChild.ts"), path, HEAP_MEGABYTES);
  let failure: unknown = null;
  let isComplete = false;
  const fail = (error: unknown) => {
    failure ??= error;
    child.kill("SIGKILL");
  };
  const stop = limitProcess(child, { timeoutMs: TIMEOUT_MS, ...limits }, () => fail(new UnreadableFile("tooMuchWork")));
  let working = Promise.resolve();
  child.on("message", (message: TableMessage) => {
    working = working
      .then(async () => {
        if (message.type === "head") await onHead(message);
        else if (message.type === "failed") failure ??= new UnreadableFile(message.code, message.row);
        else if (message.type === "end") isComplete = true;
        else {
          await onRows(message.rows);
          if (child.connected) child.send("next", () => {});
        }
      })
      .catch(fail);
  });
  return new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    // `close` comes after the last message; `exit` may come earlier.
    child.once("close", () => {
      void working.then(() => {
        if (failure) return reject(failure);
        // V8 ends the process when the heap is full.
        return isComplete ? resolve() : reject(new UnreadableFile("tooMuchWork"));
      });
    });
    child.send({ path });
  }).finally(stop);
}
