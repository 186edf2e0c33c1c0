import { roundPercent, shareOf } from "#shared/core/percent.ts";
import texts from "#shared/locales/en/reports.json" with { type: "json" };

// Figures and times as a PDF shows them, in the time zone of the report

const NONE = texts.pdf.none;

export const counted = (n: number) => new Intl.NumberFormat("en-GB").format(n);
export const percent = (value: number | null) => (value === null ? NONE : `${roundPercent(value)} %`);
export const share = (part: number, whole: number) => percent(shareOf(part, whole));
export function duration(seconds: number | null) {
  if (seconds === null) return NONE;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}
/** Cached, because creating a formatter is much slower than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatIn(zone: string, options: Intl.DateTimeFormatOptions, at: string) {
  const key = zone + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options });
  formats.set(key, format);
  return format.format(new Date(at));
}
const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
export const dayIn = (at: string | null, zone: string) => (at === null ? "" : formatIn(zone, DAY, at));
export const timeIn = (at: string, zone: string) => `${dayIn(at, zone)}, ${formatIn(zone, { timeStyle: "short" }, at)}`;
export const longDay = (at: string, zone: string) => formatIn(zone, { dateStyle: "long" }, at);

/** A calendar day such as `2026-03-31`, which belongs to no time zone. */
export const calendarDay = (day: string | null) => (day === null ? "" : dayIn(`${day}T12:00:00Z`, "UTC"));
