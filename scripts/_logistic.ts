// Fits of the two decisions about answers: small, regularized and the same in every run

/** Rows of the same features, and the mean and deviation of each feature. */
function standardize(rows: number[][]) {
  const size = rows[0]?.length ?? 0;
  const columns = Array.from({ length: size }, (_, at) => rows.map((row) => row[at] ?? 0));
  const means = columns.map((column) => column.reduce((sum, value) => sum + value, 0) / column.length);
  const deviations = columns.map(
    (column, at) => Math.sqrt(column.reduce((sum, value) => sum + (value - means[at]!) ** 2, 0) / column.length) || 1,
  );
  const scale = (row: number[]) => row.map((value, at) => (value - means[at]!) / deviations[at]!);
  return { means, deviations, scale };
}

const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** Gradient ascent on a concave function; `gradientOf` includes the regularization. */
function ascend(size: number, gradientOf: (weights: number[]) => number[], steps: number, rate: number) {
  let weights = Array.from({ length: size }, () => 0);
  for (let step = 0; step < steps; step++) {
    const gradient = gradientOf(weights);
    weights = weights.map((weight, at) => weight + rate * gradient[at]!);
  }
  return weights;
}

const PENALTY = 0.001;

/** Weights and bias of the logistic regression of `isTrue` on the features; `weight` is that of a sample. */
export function fitLogistic(samples: { features: number[]; isTrue: boolean; weight: number }[]) {
  const { means, deviations, scale } = standardize(samples.map(({ features }) => features));
  const rows = samples.map(({ features, ...sample }) => ({ row: [...scale(features), 1], ...sample }));
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const size = means.length + 1;
  const weights = ascend(
    size,
    (current) => {
      const gradient = current.map((weight) => -PENALTY * weight);
      for (const { row, isTrue, weight } of rows) {
        const error = (weight * ((isTrue ? 1 : 0) - 1 / (1 + Math.exp(-dot(current, row))))) / total;
        for (const [at, value] of row.entries()) gradient[at]! += error * value;
      }
      return gradient;
    },
    2000,
    1,
  );
  const scaled = means.map((_, at) => weights[at]! / deviations[at]!);
  return { weights: scaled, bias: weights[size - 1]! - dot(scaled, means) };
}

/** Weights by which the right one of several candidates gets the highest score (softmax regression). */
export function fitChoice(choices: { features: number[]; isRight: boolean }[][]) {
  const { deviations } = standardize(choices.flat().map(({ features }) => features));
  const usable = choices
    .filter((candidates) => candidates.some(({ isRight }) => isRight))
    .map((candidates) =>
      candidates.map(({ features, isRight }) => ({
        row: features.map((value, at) => value / deviations[at]!),
        isRight,
      })),
    );
  const weights = ascend(
    deviations.length,
    (current) => {
      const gradient = current.map((weight) => -PENALTY * weight);
      for (const candidates of usable) {
        const scores = candidates.map(({ row }) => dot(current, row));
        const top = Math.max(...scores);
        const shares = scores.map((score) => Math.exp(score - top));
        const all = shares.reduce((sum, share) => sum + share, 0);
        const right = shares.reduce((sum, share, at) => sum + (candidates[at]!.isRight ? share : 0), 0);
        for (const [at, { row, isRight }] of candidates.entries()) {
          const error = ((isRight ? shares[at]! / right : 0) - shares[at]! / all) / usable.length;
          for (const [column, value] of row.entries()) gradient[column]! += error * value;
        }
      }
      return gradient;
    },
    300,
    0.5,
  );
  return weights.map((weight, at) => weight / deviations[at]!);
}
