import { day } from "#shared/core/dates.ts";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** `24 Nov 2026` and `Nov 24, 2026`. */
const written = [
  /^(?<date>\d{1,2})\.? +(?<month>[a-z]{3,9})\.? +(?<year>\d{4})$/i,
  /^(?<month>[a-z]{3,9})\.? +(?<date>\d{1,2}),? +(?<year>\d{4})$/i,
];

/**
 * A typed day, `24 Nov 2026`, `Nov 24, 2026` or `2026-11-24`, as `2026-11-24`; null for anything else. Dates such as
 * 03/04/2026 are ambiguous.
 */
export function parseDay(text: string): string | null {
  const typed = text.trim();
  const parts = written.map((pattern) => pattern.exec(typed)?.groups).find(Boolean);
  const month = MONTHS.indexOf((parts?.month ?? "").slice(0, 3).toLowerCase()) + 1;
  const pad = (part: string | number = "") => String(part).padStart(2, "0");
  const iso = parts ? `${parts.year}-${pad(month)}-${pad(parts.date)}` : typed;
  return day.safeParse(iso).success ? iso : null;
}
