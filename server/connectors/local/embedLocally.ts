import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { findModel, findRoot } from "#server/connectors/local/modelFolders.ts";
import { ModelFault } from "#server/connectors/local/modelFault.ts";
import { type ModelProcess, startModelProcess } from "#server/connectors/local/modelProcess.ts";

/** By folder of models: one, except in tests with several servers. */
const processes = new Map<string, ModelProcess>();

function findProcess(root: string) {
  const running = processes.get(root);
  if (running && !running.isEnded()) return running;
  const started = startModelProcess(root);
  processes.set(root, started);
  return started;
}

/**
 * The vectors of texts by a model on this server, in their order. Throws a `GatewayError`. A caller that stops waiting
 * does not stop the work, because the next one needs the model that it reads.
 */
export async function embedLocally(
  { config }: Pick<GatewayContext, "config">,
  model: string,
  texts: string[],
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
) {
  const root = await findRoot(config);
  if (!root) throw new GatewayError("model_missing");
  const files = await findModel(root, model).catch((error: unknown) => {
    throw error instanceof ModelFault ? new GatewayError(error.code) : error;
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new GatewayError("timeout")), timeoutMs);
  const abort = () => late.reject(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    const { size, tokens, numbers } = await Promise.race([findProcess(root).embed(files, texts), late.promise]);
    const vectors = texts.map((_, at) => numbers.subarray(at * size, (at + 1) * size));
    return { vectors, inputTokens: tokens };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
