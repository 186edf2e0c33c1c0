import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findModel, findRoot } from "#server/connectors/local/modelFolders.ts";
import { startModelProcess } from "#server/connectors/local/modelProcess.ts";
import { connectors } from "#shared/connectors/connectors.ts";
import {
  float32,
  localInput,
  rowsOf,
  safetensors,
  tokenizer,
  WORD_COUNT,
  writeLocalModel,
} from "#test/providers/localModel.ts";
import { start } from "#test/start.ts";
import { isLong } from "#test/long.ts";

// Files of models that are damaged, or made to break the server

const { as, make, services } = await start();
const { dataDir } = services.config;
const boss = as(await make.admin());
let models = 0;
const nextName = () => `model-${++models}`;
const connect = async (model: string) => {
  const { id } = (await boss(connectors.create, { body: localInput(model) })).body;
  return (await boss(connectors.test, { params: { id }, body: {} })).body;
};
const listed = async (model: string) =>
  (await boss(connectors.localModels)).body.items.find(({ name }) => name === model);

type Change = Parameters<typeof safetensors>[1];
const rows = float32([WORD_COUNT, 8], rowsOf(8));
const damaged = (change: Change) => safetensors({ embeddings: rows }, change);
const long = (length: bigint) => {
  const file = damaged(() => {});
  file.writeBigUInt64LE(length);
  return file;
};
const MEGABYTE = 1024 ** 2;
const change = (changed: object) => damaged((header) => Object.assign(header["embeddings"] ?? {}, changed));
const sized = (dtype: string, shape: number[], bytes: number) => ({ dtype, shape, bytes: new Uint8Array(bytes) });

test.each<[string, Uint8Array]>([
  ["that is empty", Buffer.alloc(0)],
  ["that ends within the length of its header", Buffer.alloc(5)],
  ["whose header is longer than the file", long(100_000n)],
  ["whose header is longer than allowed", Buffer.concat([long(2n ** 21n), Buffer.alloc(2 ** 21)])],
  ["whose header has the largest length", long(2n ** 64n - 1n)],
  ["whose header is not JSON", Buffer.concat([long(4n).subarray(0, 8), Buffer.from("nope")])],
  ["whose header is a list", Buffer.concat([long(2n).subarray(0, 8), Buffer.from("[]")])],
  ["without a table", safetensors({ other: rows })],
  ["with offsets outside the file", change({ data_offsets: [10 ** 9, 10 ** 9 + WORD_COUNT * 32] })],
  ["with negative offsets", change({ data_offsets: [-WORD_COUNT * 32, 0] })],
  ["with offsets the wrong way round", change({ data_offsets: [WORD_COUNT * 32, 0] })],
  ["with offsets that are no whole numbers", change({ data_offsets: [0.5, WORD_COUNT * 32 + 0.5] })],
  ["with a negative shape", change({ shape: [-WORD_COUNT, -8] })],
  ["with a shape beyond all numbers", change({ shape: [2 ** 53, 2 ** 53] })],
  ["with another shape than bytes", change({ shape: [WORD_COUNT, 9] })],
  ["with three sides", change({ shape: [WORD_COUNT, 4, 2] })],
  ["without rows", safetensors({ embeddings: sized("F32", [0, 8], 0) })],
  ["with rows too long", safetensors({ embeddings: sized("F32", [1, 5000], 20_000) })],
  ["of whole numbers", change({ dtype: "I32" })],
  ["of an unknown type", change({ dtype: "__proto__" })],
  ["of 8-bit numbers", safetensors({ embeddings: sized("I8", [WORD_COUNT, 8], WORD_COUNT * 8) })],
  ["with a mapping beyond its rows", withMapping(WORD_COUNT)],
  ["with a mapping to negative rows", withMapping(-1)],
])("names a table %s", async (_, file) => {
  const name = nextName();
  writeLocalModel(dataDir, name, { "model.safetensors": file });
  expect(await listed(name)).toEqual({ name, size: null, code: "bad_table" });
  expect((await connect(name)).lastTest?.code).toBe("bad_table");
});
function withMapping(row: number) {
  const mapping = new Int32Array(WORD_COUNT).fill(row);
  return safetensors({
    embeddings: rows,
    mapping: { ...sized("I32", [WORD_COUNT], 0), bytes: new Uint8Array(mapping.buffer) },
  });
}

const nan = rowsOf(8).fill(Number.NaN);
test.each<[string, Parameters<typeof writeLocalModel>[2], string]>([
  [
    "a table with more rows than tokens",
    { "model.safetensors": safetensors({ embeddings: sized("F32", [WORD_COUNT + 1, 8], (WORD_COUNT + 1) * 32) }) },
    "model_mismatch",
  ],
  [
    "weights for other tokens",
    { "model.safetensors": safetensors({ embeddings: rows, weights: float32([2], [1, 1]) }) },
    "model_mismatch",
  ],
  [
    "tokens beyond the table",
    {
      "tokenizer.json": tokenizer(["[UNK]", ...Array.from({ length: WORD_COUNT - 1 }, (_, at) => `the${at}`)], {
        added_tokens: [{ id: 10 ** 6, content: "sky", special: false }],
      }),
    },
    "model_mismatch",
  ],
  ["a tokenizer that is not JSON", { "tokenizer.json": Buffer.from("{") }, "bad_tokenizer"],
  ["a tokenizer that is null", { "tokenizer.json": null }, "bad_tokenizer"],
  [
    "a tokenizer of an unknown kind",
    { "tokenizer.json": tokenizer(undefined, { model: { type: "Magic" } }) },
    "bad_tokenizer",
  ],
  [
    "a tokenizer with a broken expression",
    {
      "tokenizer.json": tokenizer(undefined, {
        pre_tokenizer: { type: "Split", pattern: { Regex: "((" }, behavior: "Isolated", invert: false },
      }),
    },
    "bad_tokenizer",
  ],
  ["a configuration that is not JSON", { "config.json": Buffer.from("normalize: true") }, "bad_model_config"],
  ["a configuration of another kind", { "config.json": { normalize: "yes" } }, "bad_model_config"],
])("names %s when it is tested", async (_, files, code) => {
  const name = nextName();
  writeLocalModel(dataDir, name, files);
  expect((await connect(name)).lastTest?.code).toBe(code);
});

test("numbers that are none fail the call, not the server", async () => {
  const name = nextName();
  const words = ["[UNK]", "sky", "himmel", ...Array.from({ length: WORD_COUNT - 3 }, (_, at) => `w${at}`)];
  const table = safetensors({ embeddings: float32([WORD_COUNT, 8], nan) });
  writeLocalModel(dataDir, name, { "tokenizer.json": tokenizer(words), "model.safetensors": table });
  expect((await connect(name)).lastTest?.code).toBe("bad_table");
});

test.each([
  ["tokenizer.json", 65 * MEGABYTE],
  ["model.safetensors", 2049 * MEGABYTE],
  ["config.json", 2 * MEGABYTE],
])("refuses a %s above its largest size without reading it", async (file, bytes) => {
  const name = nextName();
  truncateSync(join(writeLocalModel(dataDir, name), file), bytes);
  expect((await listed(name))?.code).toBe("model_too_large");
  expect((await connect(name)).lastTest?.code).toBe("model_too_large");
});

test.each(["config.json", "tokenizer.json", "model.safetensors"])("names a missing %s", async (file) => {
  const name = nextName();
  rmSync(join(writeLocalModel(dataDir, name), file));
  expect((await listed(name))?.code).toBe("model_missing");
  expect((await connect(name)).lastTest?.code).toBe("model_missing");
});

test("follows no link that leads out of the folder, and opens nothing but files", async () => {
  const outside = mkdtempSync(join(tmpdir(), "lyceum-outside-"));
  writeLocalModel(outside, "real");
  symlinkSync(join(outside, "models", "real"), join(dataDir, "models", "linked-folder"));
  symlinkSync("/etc/passwd", join(writeLocalModel(dataDir, "linked-file", {}), "x"));
  rmSync(join(dataDir, "models", "linked-file", "config.json"));
  symlinkSync("/etc/passwd", join(dataDir, "models", "linked-file", "config.json"));
  const pipe = join(writeLocalModel(dataDir, "pipe"), "model.safetensors");
  rmSync(pipe);
  execFileSync("mkfifo", [pipe]);
  for (const name of ["linked-folder", "linked-file", "pipe"]) {
    expect((await listed(name))?.code).toBe("model_missing");
    expect((await connect(name)).lastTest?.code).toBe("model_missing");
  }
  rmSync(outside, { recursive: true });
});

test.each(["../models/good", "..", ".", "/etc", "good/../good", "good\\", ".hidden"])(
  "does not open %s",
  async (name) => {
    writeLocalModel(dataDir, "good");
    expect((await connect(name)).lastTest?.code).toBe("model_missing");
    expect(await listed(name)).toBeUndefined();
  },
);

/** Its text doubles itself until the memory is used up. */
const growing = {
  type: "Sequence",
  normalizers: Array.from({ length: 9 }, () => ({ type: "Replace", pattern: { String: "a" }, content: "aaaaaa" })),
};
const endless = { type: "Split", pattern: { Regex: "(a+)+b" }, behavior: "Isolated", invert: false };

test.skipIf(!isLong)(
  "a model that uses up memory ends its process only, and the next one works",
  async () => {
    writeLocalModel(dataDir, "growing", { "tokenizer.json": tokenizer(undefined, { normalizer: growing }) });
    const root = (await findRoot(services.config)) as string;
    const running = startModelProcess(root);
    const files = await findModel(root, "growing");
    await expect(running.embed(files, ["a".repeat(8000)])).rejects.toMatchObject({ code: "model_ended" });
    expect(running.isEnded()).toBe(true);
    writeLocalModel(dataDir, "good");
    expect((await connect("good")).state).toBe("active");
  },
  60_000,
);

test("a model that never answers is ended, with all who wait for it", async () => {
  writeLocalModel(dataDir, "endless", { "tokenizer.json": tokenizer(undefined, { pre_tokenizer: endless }) });
  writeLocalModel(dataDir, "good");
  const root = (await findRoot(services.config)) as string;
  const running = startModelProcess(root, 1500);
  const good = await findModel(root, "good");
  expect((await running.embed(good, ["Urlaub"])).tokens).toBe(1);
  const waiting = [running.embed(await findModel(root, "endless"), ["a".repeat(200)]), running.embed(good, ["Urlaub"])];
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: "timeout" });
  expect(running.isEnded()).toBe(true);
});

test("refuses more work than may wait, and does the rest", async () => {
  writeLocalModel(dataDir, "good");
  const root = (await findRoot(services.config)) as string;
  const running = startModelProcess(root);
  const files = await findModel(root, "good");
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => running.embed(files, ["Urlaub"])));
  expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(64);
  expect(all.filter((one) => one.status === "rejected" && one.reason.code === "too_many")).toHaveLength(36);
});
