const DAY_MS = 86_400_000;
export const WEEKS = 26;
/** Seconds from which a day counts as some, much, very much. */
const steps = [1, 600, 1800];

export type Day = { day: string; seconds: number; level: number; week: number; weekday: number; future: boolean };
type Given = { day: string; seconds: number }[];

const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
const at = (day: string) => Date.parse(`${day}T00:00Z`);
/** Today as a calendar day here; the company's zone may be a day ahead, then its last day counts. */
function lastDay(days: Given, now: Date) {
  const today = iso(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
  return days.reduce((last, { day }) => (day > last ? day : last), today);
}

/** Every day of the last 26 weeks, Monday first, with how much was done on it. */
export function calendarOf(given: Given, now = new Date()): Day[] {
  const known = new Map(given.map(({ day, seconds }) => [day, seconds]));
  const end = at(lastDay(given, now));
  const first = end - ((new Date(end).getUTCDay() + 6) % 7) * DAY_MS - (WEEKS - 1) * 7 * DAY_MS;
  return Array.from({ length: WEEKS * 7 }, (_, n) => {
    const day = iso(first + n * DAY_MS);
    const seconds = known.get(day) ?? 0;
    return {
      day,
      seconds,
      level: steps.filter((step) => seconds >= step).length,
      week: Math.floor(n / 7),
      weekday: n % 7,
      future: at(day) > end,
    };
  });
}

/** Days with activity, and the longest run of days without any between two of them. */
export function summaryOf(days: Day[]) {
  const active = days.filter(({ seconds }) => seconds > 0).map(({ day }) => at(day));
  const pauses = active.slice(1).map((day, n) => Math.round((day - (active[n] as number)) / DAY_MS) - 1);
  return { active: active.length, pause: Math.max(0, ...pauses) };
}
