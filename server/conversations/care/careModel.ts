import { readFileSync } from "node:fs";
import { join } from "node:path";
import { careFeatures, type Feature } from "#server/conversations/care/careFeatures.ts";
import { careWords } from "#server/conversations/care/careWords.ts";
import { normalisePhrase } from "#server/conversations/phraseFinder.ts";

// A linear model (multinomial logistic regression) that tells calls for help from other messages. `npm run care --
// train` makes it from the messages in `training/`; docs/benchmarks.md says what it finds on messages that it was not
// made from.

/** The kinds of message, in the order of the weights; those of `none` are 0. */
export const careKinds = ["none", "selfHarm", "violence", "harassment"] as const;
export type CareKind = (typeof careKinds)[number];

/** The rarity of a feature in the training messages, and its weights for the kinds but the first. */
export type FeatureWeights = { rarity: number; weights: [number, number, number] };
export type CareModel = { bias: FeatureWeights; features: Map<Feature, FeatureWeights> };

/** Weights are stored as whole numbers of hundredths. */
export const WEIGHT_SCALE = 100;
const BIAS = "bias";
export const modelFile = join(import.meta.dirname, "careModel.tsv");

/** Longer messages are judged in pieces of this many characters: a call for help may be a line of a long message. */
const PIECE_CHARS = 600;
const MAX_PIECES = 20;
/** With one of `careWords`, more than this probability is a call for help; without one, more than the other. */
const MIN_PROBABILITY = { withCareWord: 0.35, without: 0.9 };
/** Fewer different words say too little: those are left to the terms. */
const MIN_WORDS = 5;
/** Less is known about a message in another language than the model has seen: it says nothing about it. */
const MIN_KNOWN_SHARE = 0.5;

let loaded: CareModel | null = null;

/** One line for each feature: its name, rarity and three weights, separated by tabs. */
export const writeModel = ({ bias, features }: CareModel) =>
  [[BIAS, bias] as const, ...features]
    .map(([name, { rarity, weights }]) => [name, ...[rarity, ...weights].map((n) => Math.round(n * WEIGHT_SCALE))])
    .map((cells) => `${cells.join("\t")}\n`)
    .join("");

function readModel(): CareModel {
  const features: CareModel["features"] = new Map();
  for (const line of readFileSync(modelFile, "utf8").trimEnd().split("\n")) {
    const [name, ...cells] = line.split("\t") as [Feature, ...string[]];
    const [rarity, ...weights] = cells.map((cell) => Number(cell) / WEIGHT_SCALE) as [number, number, number, number];
    features.set(name, { rarity, weights });
  }
  const bias = features.get(BIAS as Feature);
  if (!bias) throw new Error(`${modelFile} has no bias`);
  features.delete(BIAS as Feature);
  return { bias, features };
}

/** What kind of call for help a message probably is, and how probably; `none` for nearly all. */
export function judgeCare(text: string): { kind: CareKind; probability: number } {
  loaded ??= readModel();
  let best: { kind: CareKind; probability: number } = { kind: "none", probability: 0 };
  for (const piece of splitIntoPieces(text)) {
    const shares = rateCare(piece, loaded);
    if (!shares) continue;
    const probability = 1 - shares[0];
    const minimum = hasCareWord(piece) ? MIN_PROBABILITY.withCareWord : MIN_PROBABILITY.without;
    if (probability <= Math.max(minimum, best.probability)) continue;
    const [, ...calls] = shares;
    best = { kind: careKinds[1 + calls.indexOf(Math.max(...calls))] as CareKind, probability };
  }
  return best;
}

const allCareWords = Object.values(careWords).flatMap((words) => words.split(" "));
const wholeWords = new Set(allCareWords.filter((word) => !word.endsWith("*")));
const wordStarts = allCareWords.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
export const hasCareWord = (text: string) =>
  normalisePhrase(text)
    .split(" ")
    .some((word) => wholeWords.has(word) || wordStarts.some((start) => word.startsWith(start)));

/** The probability of each kind; null for a message of few words, or of words of which too few are known. */
export function rateCare(text: string, model: CareModel): [number, number, number, number] | null {
  const features = [...careFeatures(text)];
  const words = features.filter((feature) => feature.startsWith("w "));
  const known = words.filter((word) => model.features.has(word));
  if (words.length < MIN_WORDS || known.length < words.length * MIN_KNOWN_SHARE) return null;
  const weighed = [model.bias, ...features.flatMap((feature) => model.features.get(feature) ?? [])];
  const length = Math.hypot(...weighed.map(({ rarity }) => rarity));
  const sums = [0, 1, 2].map((kind) =>
    weighed.reduce((sum, { rarity, weights }) => sum + (weights[kind] as number) * (rarity / length), 0),
  );
  const powers = [0, ...sums].map(Math.exp);
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total) as [number, number, number, number];
}

function splitIntoPieces(text: string): string[] {
  if (text.length <= PIECE_CHARS) return [text];
  const pieces = [""];
  for (const sentence of text.slice(0, PIECE_CHARS * MAX_PIECES).split(/(?<=[.!?\n;])/u))
    if (`${pieces.at(-1)}${sentence}`.length <= PIECE_CHARS) pieces[pieces.length - 1] += sentence;
    else pieces.push(sentence.slice(0, PIECE_CHARS));
  return pieces.slice(0, MAX_PIECES);
}
