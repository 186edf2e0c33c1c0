import "#server/core/outgoing/withoutNetwork.ts";
import type { ModelAnswer, ModelOrder } from "#server/connectors/local/modelProcess.ts";
import { ModelFault } from "#server/connectors/local/modelFault.ts";
import { openModel, stampOf, type StaticModel } from "#server/connectors/local/staticModel.ts";

// The process that computes vectors, so that the files of a model may break it, but not the server.

let opened: { stamp: string; model: StaticModel } | null = null;
let work = Promise.resolve();

process.on("disconnect", () => process.exit(0));
process.on("message", (order: ModelOrder) => {
  work = work.then(() => answer(order)).then((message) => void process.send?.(message));
});

async function answer({ id, files, texts }: ModelOrder): Promise<ModelAnswer> {
  try {
    const stamp = await stampOf(files);
    if (opened?.stamp !== stamp) {
      await opened?.model.close();
      opened = null;
      opened = { stamp, model: await openModel(files) };
    }
    return { id, ...opened.model.embed(texts) };
  } catch (error) {
    if (error instanceof ModelFault) return { id, code: error.code };
    if (error instanceof Error && "syscall" in error) return { id, code: "model_missing" };
    throw error;
  }
}
