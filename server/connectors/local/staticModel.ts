import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { openTable } from "#server/connectors/local/embeddingTable.ts";
import type { ModelFiles } from "#server/connectors/local/modelFolders.ts";
import { ModelFault } from "#server/connectors/local/modelFault.ts";

// Static embeddings: the vector of a text is the mean of the vectors of its tokens.

const MAX_CHARS = 8000;
const MAX_TOKENS = 512;

const configShape = z.object({ normalize: z.boolean().nullish() });

/** `numbers`: the vectors of all texts, one after the other. `tokens`: those that were read. */
export type Embedded = { size: number; tokens: number; numbers: Float32Array };
export type StaticModel = { embed: (texts: string[]) => Embedded; close: () => Promise<void> };

/** Identifies the content of the files of a model, so that replaced ones are read again. */
export async function stampOf(files: ModelFiles) {
  const stats = await Promise.all(Object.values(files).map((path) => stat(path)));
  return [...Object.values(files), ...stats.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`)].join("\n");
}

/** Throws a `ModelFault`. */
export async function openModel(files: ModelFiles): Promise<StaticModel> {
  const config = configShape.safeParse(await readJson(files.config));
  if (!config.success) throw new ModelFault("bad_model_config");
  const table = await openTable(files.table);
  try {
    const tokenize = await openTokenizer(files.tokenizer, table.tokens);
    const { size } = table;
    return { embed, close: table.close };

    function embed(texts: string[]): Embedded {
      const numbers = new Float32Array(texts.length * size);
      let tokens = 0;
      for (const [at, text] of texts.entries()) {
        const ids = tokenize(text.slice(0, MAX_CHARS).toWellFormed()).slice(0, MAX_TOKENS);
        tokens += ids.length;
        numbers.set(meanOf(ids) ?? directionOf(text), at * size);
      }
      return { size, tokens, numbers };
    }

    /** Null if it has no direction. */
    function meanOf(ids: number[]) {
      const mean = new Float64Array(size);
      for (const id of ids) {
        const { numbers, weight } = table.rowOf(id);
        for (let at = 0; at < size; at++) mean[at]! += (numbers[at]! * weight) / ids.length;
      }
      const length = Math.hypot(...mean);
      if (Number.isNaN(length) || length === Infinity) throw new ModelFault("bad_table");
      if (length < 1e-12) return null;
      return config.data?.normalize ? mean.map((value) => value / length) : mean;
    }

    /** For a text without known tokens: a direction drawn from the text itself, which nothing else has. */
    function directionOf(text: string) {
      const bytes = createHash("shake256", { outputLength: size }).update(text).digest();
      const drawn = Float64Array.from(bytes, (byte) => byte - 127.5);
      const length = Math.hypot(...drawn);
      return drawn.map((value) => value / length);
    }
  } catch (error) {
    await table.close();
    throw error;
  }
}

/** The known tokens of a text, from its tokenizer. Throws `model_mismatch` if it has other tokens than the table. */
async function openTokenizer(path: string, tokens: number): Promise<(text: string) => number[]> {
  const json = await readJson(path);
  const tokenizer = orBroken(() => new Tokenizer(json as object, {}));
  const { model } = tokenizer;
  if (!model || model.tokens_to_ids.size !== tokens) throw new ModelFault("model_mismatch");
  return (text) =>
    orBroken(() => tokenizer.encode(text, { add_special_tokens: false }).ids).filter(
      (id: number) => Number.isInteger(id) && id >= 0 && id !== model.unk_token_id,
    );
}

/** The tokenizer is code of others that reads a file of others: whatever it throws, the file cannot be used. */
function orBroken<Value>(work: () => Value): Value {
  try {
    return work();
  } catch {
    throw new ModelFault("bad_tokenizer");
  }
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
