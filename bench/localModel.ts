import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { findModel } from "#server/connectors/local/modelFolders.ts";
import { startModelProcess } from "#server/connectors/local/modelProcess.ts";
import { cpuSeconds, median, processTreeOf, round } from "./_load.ts";

// Vectors of a generated model with `TOKENS` tokens and 256 numbers each, as 32 bits: time to the first vector, texts
// per second in batches of 64, the time of a question alone, and the memory of the process.

const TOKENS = Number(process.env.TOKENS ?? 100_000);
const SIZE = 256;
const ROUNDS = 5;
const BATCH = 64;
const letters = [..."abcdefghijklmnopqrstuvwxyzäöüß"];
const word = () => Array.from({ length: 3 + randomInt(7) }, () => letters[randomInt(letters.length)]).join("");

const root = mkdtempSync(join(tmpdir(), "lyceum-model-"));
const words = writeModel(join(root, "generated"));
const files = await findModel(root, "generated");
const text = (length: number) =>
  Array.from({ length }, () => words[randomInt(words.length)]?.replace("▁", "") ?? "").join(" ");

const before = loadavg()[0] ?? 0;
const startedAt = performance.now();
const running = startModelProcess(root);
await running.embed(files, ["first"]);
const firstMs = performance.now() - startedAt;
const child = processTreeOf(process.pid).find((pid) => commandOf(pid).includes("modelChild")) ?? 0;

async function measure(texts: () => string[]) {
  const times: number[] = [];
  const cpuBefore = cpuSeconds([child]);
  for (let turn = 0; turn < ROUNDS * 4; turn++) {
    const batch = texts();
    const at = performance.now();
    await running.embed(files, batch);
    times.push(performance.now() - at);
  }
  return { ms: median(times), cpuMs: ((cpuSeconds([child]) - cpuBefore) * 1000) / times.length };
}
const passages = await measure(() => Array.from({ length: BATCH }, () => text(120)));
const questions = await measure(() => [text(8)]);

console.log(`${TOKENS} tokens, load ${round(before, 1)} before and ${round(loadavg()[0] ?? 0, 1)} after`);
console.log(`first vector after ${round(firstMs)} ms`);
console.log(
  `passages of 120 words: ${round((BATCH * 1000) / passages.ms)} a second, ` +
    `${round(passages.cpuMs / BATCH, 2)} ms of CPU each`,
);
console.log(`question of 8 words: ${round(questions.ms, 1)} ms`);
console.log(`resident memory of the process: ${residentMegabytes(child)} MB`);
process.kill(child);
rmSync(root, { recursive: true });

/** Writes a model with Unigram tokens, and returns them. */
function writeModel(folder: string) {
  mkdirSync(folder, { recursive: true });
  const tokens = new Set(["<unk>", "▁", ...letters]);
  while (tokens.size < TOKENS) tokens.add(`${randomInt(2) ? "▁" : ""}${word()}`);
  const vocab = [...tokens].map((token) => [token, token.length > 1 ? -9 - randomInt(500) / 100 : -14]);
  const metaspace = { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: true };
  const tokenizer = {
    added_tokens: [],
    normalizer: { type: "NFKC" },
    pre_tokenizer: metaspace,
    post_processor: null,
    decoder: metaspace,
    model: { type: "Unigram", unk_id: 0, vocab },
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  writeFileSync(join(folder, "config.json"), JSON.stringify({ normalize: true }));
  const bytes = tokens.size * SIZE * 4;
  const header = Buffer.from(
    JSON.stringify({ embeddings: { dtype: "F32", shape: [tokens.size, SIZE], data_offsets: [0, bytes] } }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const file = openSync(join(folder, "model.safetensors"), "w");
  writeSync(file, Buffer.concat([length, header]));
  for (let row = 0; row < tokens.size; row++)
    writeSync(file, new Uint8Array(Float32Array.from({ length: SIZE }, () => Math.random() - 0.5).buffer));
  closeSync(file);
  return [...tokens];
}

function commandOf(pid: number) {
  return execFileSync("ps", ["-o", "args=", "-p", String(pid)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function residentMegabytes(pid: number) {
  const kilobytes = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Math.round(Number(kilobytes) / 1024);
}
