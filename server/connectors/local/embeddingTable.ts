import { readSync } from "node:fs";
import { open } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { ModelFault } from "#server/connectors/local/modelFault.ts";
import { readBytes, readHeader, type Tensor } from "#server/connectors/local/safetensors.ts";

const CACHED_BYTES = 32 * 1024 ** 2;
const MAX_SIZE = 4096;
/** Most tokens of a vocabulary. */
const MAX_TOKENS = 5_000_000;

/** The vectors of tokens, read one by one from the file. */
export type EmbeddingTable = {
  /** Numbers per vector. */
  size: number;
  tokens: number;
  /** The vector of a token and its weight in the mean. */
  rowOf: (token: number) => { numbers: Float32Array; weight: number };
  close: () => Promise<void>;
};

/**
 * Opens the table of a model: `embeddings`, in models of Sentence Transformers `embedding.weight`. Newer models also
 * have `weights` by token, and `mapping` from tokens to rows that several of them share. Throws a `ModelFault`.
 */
export async function openTable(path: string): Promise<EmbeddingTable> {
  const file = await open(path, "r");
  try {
    const find = await readHeader(file);
    const table = find("embeddings") ?? find("embedding.weight");
    const [rows = 0, size = 0] = table?.shape ?? [];
    const isTable = table?.shape.length === 2 && rows > 0 && size > 0 && size <= MAX_SIZE;
    if (!isTable || (table.dtype !== "F32" && table.dtype !== "F16")) throw new ModelFault("bad_table");
    const readAll = async (name: string, types: string[]) => {
      const tensor = find(name);
      if (!tensor) return null;
      const isList = tensor.shape.length === 1 && types.includes(tensor.dtype) && tensor.bytes <= MAX_TOKENS * 8;
      if (!isList) throw new ModelFault("bad_table");
      return Float64Array.from(toNumbers(tensor, await readBytes(file, tensor.from, tensor.bytes)));
    };
    const weights = await readAll("weights", ["F16", "F32", "F64"]);
    const mapping = await readAll("mapping", ["I32", "I64"]);
    const tokens = mapping?.length ?? rows;
    if (tokens > MAX_TOKENS || mapping?.some((row) => row < 0 || row >= rows)) throw new ModelFault("bad_table");
    if (weights && weights.length !== tokens) throw new ModelFault("model_mismatch");

    const rowBytes = table.bytes / rows;
    const cached = new LRUCache<number, Float32Array>({ maxSize: CACHED_BYTES, sizeCalculation: () => size * 4 });
    const readRow = (row: number) => {
      const bytes = Buffer.alloc(rowBytes);
      if (readSync(file.fd, bytes, 0, rowBytes, table.from + row * rowBytes) < rowBytes)
        throw new ModelFault("bad_table");
      const numbers = Float32Array.from(toNumbers(table, bytes));
      cached.set(row, numbers);
      return numbers;
    };
    const rowOf = (token: number) => {
      if (!(token < tokens)) throw new ModelFault("model_mismatch");
      const row = mapping?.[token] ?? token;
      return { numbers: cached.get(row) ?? readRow(row), weight: weights?.[token] ?? 1 };
    };
    return { size, tokens, rowOf, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Numbers in the order of bytes that this processor has, little-endian on all that are supported. */
function toNumbers({ dtype }: Tensor, bytes: Buffer): Iterable<number> & ArrayLike<number> {
  const { buffer, byteOffset, length } = bytes;
  if (dtype === "F16") return new Float16Array(buffer, byteOffset, length / 2);
  if (dtype === "F32") return new Float32Array(buffer, byteOffset, length / 4);
  if (dtype === "F64") return new Float64Array(buffer, byteOffset, length / 8);
  if (dtype === "I32") return new Int32Array(buffer, byteOffset, length / 4);
  return Array.from(new BigInt64Array(buffer, byteOffset, length / 8), Number);
}
