// Charts over time whose last periods are not over: a series is drawn to the last complete one, and dashed from there

const SUFFIX = "Running";
/** The dashes of a line in a period that is not over. */
export const RUNNING_DASHES = "4 4";
/** The name of the dashed rest of a series. */
export const runningName = (name: string) => name + SUFFIX;
const isRunningName = (name: unknown) => typeof name === "string" && name.endsWith(SUFFIX);

/**
 * The rows of a chart with each series split in two. The rest begins at the last complete row, so that its line is
 * joined to the one before; with `joined: false` (columns), after it.
 */
export function splitRunning<Row extends object>(
  rows: Row[],
  names: (keyof Row & string)[],
  isRunning: (row: Row) => boolean,
  { joined = true } = {},
) {
  const found = rows.findIndex(isRunning);
  const first = found === -1 ? rows.length : found;
  const begin = joined && first < rows.length ? first - 1 : first;
  return rows.map((row, n) => ({
    ...row,
    ...Object.fromEntries(
      names.flatMap((name) => [
        [name, n < first ? row[name] : null],
        [runningName(name), n >= begin ? row[name] : null],
      ]),
    ),
  }));
}

/** What of a row a tooltip shows: not the rest of a series where it begins, which repeats the last complete value. */
export const shownInTooltip = <Item extends { name?: unknown; value?: unknown }>(items: readonly Item[]) =>
  items.filter(
    ({ name, value }) =>
      value !== null &&
      value !== undefined &&
      !(isRunningName(name) && items.some((other) => runningName(String(other.name)) === name && other.value !== null)),
  );

/** The first day that is not counted to its end: after `to`, or the day of a count that goes up to now. */
export function firstUncounted(to: string, lastDay: string, isLive: boolean) {
  const after = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const counted = isLive ? lastDay : after(lastDay);
  return counted < after(to) ? counted : after(to);
}

/** True if a week, by its Monday, is not counted from its first to its last day. */
export const isPartialWeek = (monday: string, from: string, uncounted: string) =>
  monday < from || Date.parse(monday) + 7 * 86_400_000 > Date.parse(uncounted);
