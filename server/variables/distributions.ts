import type { Distribution } from "#shared/variables/variableFigures.ts";
import type { Constraints, VariableType } from "#shared/variables/variableTypes.ts";

/** The number of subjects with the value `label`; `number` is the value if the type is measured. */
export type Tally = { label: string; number: number | null; count: number };

const MAX_BARS = 12;

/** The bars of a chart of current values: one for each option or value of a short scale, otherwise equal intervals. */
export function createDistribution(
  { type, constraints }: { type: VariableType; constraints: Constraints },
  tallies: Tally[],
): Distribution {
  if (type === "number" || type === "duration") return histogram(constraints, tallies);
  if (type === "text" || type === "json") return { bars: [], others: 0 };
  const order = orderOf(type, constraints, tallies);
  const counts = new Map(tallies.map(({ label, count }) => [label, count]));
  const shown = order.slice(0, MAX_BARS);
  const others = tallies.filter(({ label }) => !shown.includes(label)).reduce((sum, { count }) => sum + count, 0);
  return { bars: shown.map((label) => ({ label, from: null, count: counts.get(label) ?? 0 })), others };
}

/** Options in the order of the definition, dates in calendar order, other values by frequency. */
function orderOf(type: VariableType, { options }: Constraints, tallies: Tally[]) {
  if (type === "boolean") return ["true", "false"];
  if (type === "date")
    return tallies
      .map(({ label }) => label)
      .toSorted()
      .slice(-MAX_BARS);
  const byCount = tallies.toSorted((a, b) => b.count - a.count).map(({ label }) => label);
  return options ? [...options, ...byCount.filter((label) => !options.includes(label))] : byCount;
}

function histogram({ min, max }: Constraints, tallies: Tally[]): Distribution {
  const values = tallies.flatMap(({ number, count }) => (number === null ? [] : [{ number, count }]));
  if (values.length === 0) return { bars: [], others: 0 };
  const low = Math.min(min ?? Infinity, ...values.map(({ number }) => number));
  const high = Math.max(max ?? -Infinity, ...values.map(({ number }) => number));
  const isScale = values.every(({ number }) => Number.isInteger(number)) && high - low < MAX_BARS;
  const width = isScale ? 1 : (high - low) / (MAX_BARS - 2) || 1;
  const bars = Array.from({ length: isScale ? high - low + 1 : MAX_BARS - 2 }, (_, index) => {
    const from = low + index * width;
    const label = isScale ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(from + width)}`;
    return { label, from, count: 0 };
  });
  for (const { number, count } of values) {
    const bar = bars[Math.min(bars.length - 1, Math.floor((number - low) / width + 1e-9))];
    if (bar) bar.count += count;
  }
  return { bars, others: 0 };
}

const formatNumber = (number: number) => String(Number(number.toPrecision(4)));

/** The quantile `q` of the values, as PostgreSQL's percentile_cont computes it; null without numbers. */
export function quantileOf(tallies: Tally[], q: number): number | null {
  const values = tallies
    .filter(({ number }) => number !== null)
    .toSorted((a, b) => Number(a.number) - Number(b.number));
  const total = values.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const position = q * (total - 1);
  const low = valueAt(values, Math.floor(position));
  const high = valueAt(values, Math.ceil(position));
  return low + (high - low) * (position - Math.floor(position));
}

function valueAt(values: Tally[], index: number): number {
  let passed = 0;
  for (const { number, count } of values) {
    passed += count;
    if (index < passed) return Number(number);
  }
  return Number(values.at(-1)?.number ?? 0);
}

export const medianOf = (tallies: Tally[]) => quantileOf(tallies, 0.5);

/** The most frequent value and its share of `subjects`; null without values. */
export function topOf(tallies: Tally[], subjects: number) {
  const [first] = tallies.toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label, "en"));
  return first && subjects > 0 ? { label: first.label, share: first.count / subjects } : null;
}
