// Charts over time whose last periods are incomplete: a series is solid up to the last complete one, then dashed

const SUFFIX = "Running";
/** The dashes of a line in an incomplete period. */
export const RUNNING_DASHES = "4 4";
/** The name of the dashed rest of a series. */
export const runningName = (name: string) => name + SUFFIX;
const isRunningName = (name: unknown) => typeof name === "string" && name.endsWith(SUFFIX);

/**
 * The rows of a chart with each series split into a complete part and a rest. The rest starts at the last complete row,
 * so that the lines are joined; with `joined: false` (columns), after it.
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

/** The items that a tooltip shows. Leaves out the start of a rest, which repeats the last complete value. */
export const shownInTooltip = <Item extends { name?: unknown; value?: unknown }>(items: readonly Item[]) =>
  items.filter(
    ({ name, value }) =>
      value !== null &&
      value !== undefined &&
      !(isRunningName(name) && items.some((other) => runningName(String(other.name)) === name && other.value !== null)),
  );

/** The first day that is not counted completely: the day after `to`, or the current day of a live count. */
export function firstUncounted(to: string, lastDay: string, isLive: boolean) {
  const after = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const counted = isLive ? lastDay : after(lastDay);
  return counted < after(to) ? counted : after(to);
}

/** True if a week, given by its Monday, is not counted completely. */
export const isPartialWeek = (monday: string, from: string, uncounted: string) =>
  monday < from || Date.parse(monday) + 7 * 86_400_000 > Date.parse(uncounted);
