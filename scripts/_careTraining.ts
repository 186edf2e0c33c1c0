import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { careFeatures, type Feature } from "#server/conversations/care/careFeatures.ts";
import { type CareKind, type CareModel, careKinds, type FeatureWeights } from "#server/conversations/care/careModel.ts";

export type CareMessage = { kind: CareKind; text: string };

const root = join(import.meta.dirname, "..");
const trainingFolder = join(root, "server/conversations/care/training");
const linesOf = (path: string) => readFileSync(path, "utf8").trim().split("\n");
/** Kinds as the sets in bench/care name them. */
const kindNames: Record<string, CareKind> = {
  none: "none",
  self_harm: "selfHarm",
  threat: "violence",
  harassment: "harassment",
};

/** The messages of a set in bench/care. */
export const readSet = (path: string): CareMessage[] =>
  linesOf(path).map((line) => {
    const { kind, text } = JSON.parse(line) as { kind: string; text: string };
    return { kind: kindNames[kind] as CareKind, text };
  });

/** All messages that the model is made from. */
export const readTraining = (): CareMessage[] => [
  ...readdirSync(trainingFolder)
    .toSorted()
    .flatMap((name) => linesOf(join(trainingFolder, name)))
    .map((line) => line.split("\t") as [CareKind, string])
    .map(([kind, text]) => ({ kind, text })),
  ...["first", "second"].flatMap((name) => readSet(join(root, `bench/care/${name}.jsonl`))),
];

/** Chosen on two sets of messages, each with the other as training data (docs/benchmarks.md). */
const EPOCHS = 20;
const RATE = 0.5;
const PENALTY = 1e-5;
const BIAS_RARITY = 0.3;
/** Weights below this change nothing and are not stored. */
const MIN_WEIGHT = 0.05;

/** Fits the model by AdaGrad, the same in every run. */
export function trainCareModel(messages: CareMessage[]): CareModel {
  const rows = messages.map(({ kind, text }) => ({ kind: careKinds.indexOf(kind), features: careFeatures(text) }));
  const counts = new Map<Feature, number>();
  for (const { features } of rows) for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const names = [...counts.keys()];
  const index = new Map(names.map((name, at) => [name, at + 1]));
  const rarities = [BIAS_RARITY, ...names.map((name) => Math.log(rows.length / (counts.get(name) as number)) / 4)];
  const samples = rows.map(({ kind, features }) => {
    const at = [0, ...[...features].map((feature) => index.get(feature) as number)];
    const length = Math.hypot(...at.map((one) => rarities[one] as number));
    return { kind, at, values: at.map((one) => (rarities[one] as number) / length) };
  });
  const weights = careKinds.map(() => new Float64Array(names.length + 1));
  const squares = careKinds.map(() => new Float64Array(names.length + 1).fill(1e-6));
  const random = randomNumbers();
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (const sample of shuffle(samples, random)) descend(sample, weights, squares);
  const weightsOf = (at: number): FeatureWeights => {
    const [none, ...others] = weights.map((kind) => kind[at] as number) as [number, number, number, number];
    return {
      rarity: rarities[at] as number,
      weights: others.map((other) => other - none) as FeatureWeights["weights"],
    };
  };
  const features = names.map((name, at) => [name, weightsOf(at + 1)] as const);
  const isNeeded = ([name, one]: (typeof features)[number]) =>
    name.startsWith("w ") || one.weights.some((weight) => Math.abs(weight) >= MIN_WEIGHT);
  return { bias: weightsOf(0), features: new Map(features.filter(isNeeded)) };
}

type Sample = { kind: number; at: number[]; values: number[] };

/** One step for one sample. */
function descend({ kind, at, values }: Sample, weights: Float64Array[], squares: Float64Array[]) {
  const powers = weights.map((row) => Math.exp(at.reduce((sum, one, n) => sum + row[one]! * values[n]!, 0)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  for (const [other, row] of weights.entries()) {
    const error = powers[other]! / total - (other === kind ? 1 : 0);
    for (const [n, one] of at.entries()) {
      const gradient = error * values[n]! + PENALTY * row[one]!;
      squares[other]![one]! += gradient ** 2;
      row[one]! -= (RATE * gradient) / Math.sqrt(squares[other]![one]!);
    }
  }
}

/** Numbers from 0 to 1, the same in every run. */
function randomNumbers() {
  let state = 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function shuffle<T>(items: T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}
