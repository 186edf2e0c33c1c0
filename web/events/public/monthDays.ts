const pad = (n: number) => String(n).padStart(2, "0");
const dayOf = (date: Date) => `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;

/** The month from the URL, such as `2026-11`; the current month if it is invalid. */
export const readMonth = (value: string | null, today = new Date()) =>
  value && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : `${today.getFullYear()}-${pad(today.getMonth() + 1)}`;

/** Shifts a month: `2026-12` for `2026-11` and 1. */
export function shiftMonth(month: string, by: number) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return dayOf(new Date(Date.UTC(year, number - 1 + by, 1))).slice(0, 7);
}

/** The whole weeks, from Monday, that contain a month: all days, the first, and the day after the last. */
export function monthSpan(month: string) {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const first = new Date(Date.UTC(year, number - 1, 1));
  const before = (first.getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const count = Math.ceil((before + length) / 7) * 7;
  const day = (at: number) => dayOf(new Date(Date.UTC(year, number - 1, 1 - before + at)));
  return { days: Array.from({ length: count }, (_, at) => day(at)), from: day(0), to: day(count) };
}

/** Days in rows of seven. */
export const weeksOf = (days: string[]) =>
  Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
