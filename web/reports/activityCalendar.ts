const DAY_MS = 86_400_000;
export const WEEKS = 26;
/** Minimum seconds per day of the three activity levels. */
const LEVELS = [1, 600, 1800];

export type Day = { day: string; seconds: number; level: number; week: number; weekday: number; future: boolean };
type ActiveDay = { day: string; seconds: number };

const toDay = (at: number) => new Date(at).toISOString().slice(0, 10);
const toMs = (day: string) => Date.parse(`${day}T00:00Z`);
/** All days of the 26 weeks until the week of the day `until`, starting on a Monday, with their active time. */
export function createCalendar(activeDays: ActiveDay[], until: string): Day[] {
  const secondsByDay = new Map(activeDays.map(({ day, seconds }) => [day, seconds]));
  const end = toMs(until);
  const first = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY_MS - (WEEKS - 1) * 7 * DAY_MS;
  return Array.from({ length: WEEKS * 7 }, (_, n) => {
    const day = toDay(first + n * DAY_MS);
    const seconds = secondsByDay.get(day) ?? 0;
    return {
      day,
      seconds,
      level: LEVELS.filter((step) => seconds >= step).length,
      week: Math.floor(n / 7),
      weekday: n % 7,
      future: toMs(day) > end,
    };
  });
}

/** The number of active days, and the longest break between two of them in days. */
export function summarize(days: Day[]) {
  const active = days.filter(({ seconds }) => seconds > 0).map(({ day }) => toMs(day));
  const breaks = active.slice(1).map((day, n) => Math.round((day - (active[n] as number)) / DAY_MS) - 1);
  return { active: active.length, longestBreak: Math.max(0, ...breaks) };
}
