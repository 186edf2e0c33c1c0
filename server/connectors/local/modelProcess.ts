import { join } from "node:path";
import { forkIsolated } from "#server/core/isolatedProcess.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import type { ModelFiles } from "#server/connectors/local/modelFolders.ts";
import type { Embedded } from "#server/connectors/local/staticModel.ts";
import type { LocalModelFault } from "#shared/connectors/localModels.ts";

export type ModelOrder = { id: number; files: ModelFiles; texts: string[] };
export type ModelAnswer = { id: number } & (Embedded | { code: LocalModelFault });

/** A tokenizer of 500,000 tokens takes 450 MB, and more while it is read. */
const HEAP_MEGABYTES = 1536;
const MAX_WAITING = 64;
/** Without an answer for this long, the process is ended; the next order starts another one. */
const STUCK_MS = 60_000;
const IDLE_MS = 10 * 60_000;

type Waiting = { resolve: (embedded: Embedded) => void; reject: (error: GatewayError) => void };
export type ModelProcess = ReturnType<typeof startModelProcess>;

/**
 * A process that reads models below `root` and nothing else but the program: no network, no writing, no other
 * processes. It answers one order after the other and ends after ten idle minutes.
 */
export function startModelProcess(root: string, stuckMs = STUCK_MS) {
  const child = forkIsolated(join(import.meta.dirname, "modelChild.ts"), root, HEAP_MEGABYTES);
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const kill = () => child.kill("SIGKILL");
  // An endless tokenizer would not notice that the server has gone.
  process.once("exit", kill);
  const end = (code: "timeout" | "model_ended") => {
    isEnded = true;
    clearTimeout(timer);
    process.off("exit", kill);
    kill();
    for (const { reject } of waiting.values()) reject(new GatewayError(code));
    waiting.clear();
  };
  /** Restarts the clock that ends the process. */
  const watch = () => {
    clearTimeout(timer);
    const isBusy = waiting.size > 0;
    timer = setTimeout(() => end("timeout"), isBusy ? stuckMs : IDLE_MS).unref();
    // Only a process with work keeps the server running.
    if (isBusy) child.channel?.ref();
    else child.channel?.unref();
  };
  child.unref();
  child.on("error", () => end("model_ended"));
  child.on("exit", () => end("model_ended"));
  child.on("message", ({ id, ...answer }: ModelAnswer) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    watch();
    if ("code" in answer) reject?.(new GatewayError(answer.code));
    else resolve?.(answer);
  });
  return {
    isEnded: () => isEnded,
    embed: (files: ModelFiles, texts: string[]) =>
      new Promise<Embedded>((resolve, reject) => {
        if (waiting.size >= MAX_WAITING) return reject(new GatewayError("too_many"));
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        if (waiting.size === 1) watch();
        child.send({ id, files, texts } satisfies ModelOrder, (error) => error && end("model_ended"));
      }),
  };
}
