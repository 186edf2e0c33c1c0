/** How well groups agree with those that people made. B-cubed: https://doi.org/10.1007/s10791-008-9066-8. */
export function compareGroups(labels: string[], groups: number[]) {
  const countBy = <Key>(keys: Key[]) =>
    keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map<Key, number>());
  const both = labels.map((label, at) => `${groups[at]} ${label}`);
  const [ofLabel, ofGroup, ofBoth] = [countBy(labels), countBy(groups), countBy(both)];
  let [precision, recall] = [0, 0];
  for (const [at, label] of labels.entries()) {
    precision += ofBoth.get(both[at]!)! / ofGroup.get(groups[at]!)! / labels.length;
    recall += ofBoth.get(both[at]!)! / ofLabel.get(label)! / labels.length;
  }
  const pairs = (counts: Map<unknown, number>) =>
    [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  return {
    questions: labels.length,
    asked: ofLabel.size,
    groups: ofGroup.size,
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    pairPrecision: pairs(ofBoth) / Math.max(1, pairs(ofGroup)),
    pairRecall: pairs(ofBoth) / Math.max(1, pairs(ofLabel)),
  };
}
