import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONCEPTS } from "#test/providers/concepts.ts";

type Tensor = { dtype: string; shape: number[]; bytes: Uint8Array };
export const float32 = (shape: number[], numbers: number[]): Tensor => ({
  dtype: "F32",
  shape,
  bytes: new Uint8Array(Float32Array.from(numbers).buffer),
});

/** A file in the format safetensors; `change` may damage its header. */
export function safetensors(tensors: Record<string, Tensor>, change: (header: Header) => void = () => {}) {
  let at = 0;
  const header: Header = {};
  for (const [name, { dtype, shape, bytes }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
  }
  change(header);
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, json, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}
type Header = Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;

const WORDS = [...new Set(["[UNK]", "[PAD]", ...CONCEPTS.flatMap((words) => [...words])])];
export const WORD_COUNT = WORDS.length;
export const idOf = (word: string) => WORDS.indexOf(word);
export const tokenizer = (words = WORDS, more: object = {}) => ({
  version: "1.0",
  added_tokens: [],
  normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: null,
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
  ...more,
});

/** A direction for each concept, the same for all of its words. */
export const rowsOf = (size: number) =>
  WORDS.flatMap((word) => {
    const axis = CONCEPTS.findIndex((concept) => concept.has(word));
    return Array.from({ length: size }, (_, at) => (at === axis ? 2 : 0.01 * ((at + word.length) % 3)));
  });

type Files = { "config.json"?: unknown; "tokenizer.json"?: unknown; "model.safetensors"?: Uint8Array };

/** A model that knows a few concepts in several languages, with `files` in place of its own. */
export function writeLocalModel(dataDir: string, name: string, files: Files = {}, size = 24) {
  const folder = join(dataDir, "models", name);
  mkdirSync(folder, { recursive: true });
  const all = {
    "config.json": { model_type: "model2vec", normalize: true },
    "tokenizer.json": tokenizer(),
    "model.safetensors": safetensors({ embeddings: float32([WORDS.length, size], rowsOf(size)) }),
    ...files,
  };
  for (const [file, content] of Object.entries(all))
    writeFileSync(join(folder, file), content instanceof Uint8Array ? content : JSON.stringify(content));
  return folder;
}

/** The settings of a connection to a model on this server. */
export const localInput = (model: string) => ({
  name: `Local ${model}`,
  kind: "local" as const,
  baseUrl: "" as const,
  models: [{ id: model, use: "embedding" as const, prices: [] }],
});
