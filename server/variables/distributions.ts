import type { Distribution } from "#shared/variables/variableFigures.ts";
import type { Constraints, VariableType } from "#shared/variables/variableValues.ts";

/** How many subjects have the value `label`; `number` is the value of a measured type. */
export type Tally = { label: string; number: number | null; count: number };

const MAX_BARS = 12;

/**
 * The bars of a chart of current values: one per value of a short scale or option, otherwise intervals of equal width.
 */
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

/** Options in the order of the definition, days in that of the calendar, anything else by frequency. */
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

/**
 * The value below which the share `q` of the values lies, as PostgreSQL's percentile_cont computes it; null without
 * numbers.
 */
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
  let seen = 0;
  for (const { number, count } of values) {
    seen += count;
    if (index < seen) return Number(number);
  }
  return Number(values.at(-1)?.number ?? 0);
}

export const medianOf = (tallies: Tally[]) => quantileOf(tallies, 0.5);

/** The most frequent value and its share of `subjects`; null without values. */
export function topOf(tallies: Tally[], subjects: number) {
  const [first] = tallies.toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label, "en"));
  return first && subjects > 0 ? { label: first.label, share: first.count / subjects } : null;
}
