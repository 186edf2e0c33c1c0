import { day } from "#shared/core/dates.ts";

const pad = (part: number, length: number) => String(part).padStart(length, "0");

/** A typed day as `2026-11-24`: `24 Nov 2026`, `Nov 24, 2026` or `2026-11-24`; null for anything else. */
export function parseDay(text: string): string | null {
  const typed = text.trim();
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return day.safeParse(typed).success ? typed : null;
  // Numbers only, as in 03/04/2026, mean different days to different people.
  if (!/[a-z]{3}/i.test(typed) || !/\d{4}/.test(typed)) return null;
  const date = new Date(`${typed} 12:00`);
  if (Number.isNaN(date.getTime()) || !typed.includes(String(date.getDate()))) return null;
  const parsed = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
  return day.safeParse(parsed).success ? parsed : null;
}
