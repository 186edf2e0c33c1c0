import { i18n } from "#web/core/i18n.ts";
import { zoneName } from "#shared/zones.ts";

// Dates, times and numbers as people read them: "12 Dec 2026", "14:03", "1 h 02", "88 %", "66 MB"

/** A narrow gap that never breaks, between a number and its unit. */
const GAP = "\u00a0";
const DAY_MS = 86_400_000;

type When = string | Date;
/** `2026-12-12` is a calendar day, not midnight in London. */
const isCalendarDay = (when: When) => typeof when === "string" && /^\d{4}-\d\d-\d\d$/.test(when);
const dateOf = (when: When) => {
  if (typeof when !== "string") return when;
  return new Date(isCalendarDay(when) ? `${when}T12:00` : when);
};

/** Making a formatter takes a thousand times longer than using it. */
const made = new Map<string, Intl.DateTimeFormat>();
function formatterOf(language: string, options: Intl.DateTimeFormatOptions) {
  const key = language + JSON.stringify(options);
  const formatter = made.get(key) ?? new Intl.DateTimeFormat(language, options);
  made.set(key, formatter);
  return formatter;
}
/**
 * While a page is rendered on the server, an instant needs a named time zone: the server's zone is not the visitor's, and
 * hydration would discard the page. `web/server.tsx` switches this on.
 */
export const serverRendering = { isActive: false };
function part(when: When, options: Intl.DateTimeFormatOptions) {
  if (serverRendering.isActive && !options.timeZone && !isCalendarDay(when))
    throw new Error("A date that is rendered on the server needs a time zone");
  return formatterOf(i18n.language, options).format(dateOf(when));
}
const dayOf = (when: When) => dateOf(when).toDateString();

/** `12 Dec 2026` */
export const formatDate = (when: When) => `${formatDay(when)} ${dateOf(when).getFullYear()}`;
/** `12 Dec` */
export const formatDay = (when: When) => `${dateOf(when).getDate()} ${formatMonth(when)}`;
/** `Dec` */
export const formatMonth = (when: When) => part(when, { month: "short" });
/** `Friday 20 November` */
export const formatLongDay = (when: When) =>
  `${part(when, { weekday: "long" })} ${dateOf(when).getDate()} ${part(when, { month: "long" })}`;
/** `14:03` */
export const formatTime = (when: When) => part(when, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** `12 Dec 2026, 14:03` */
export const formatDateTime = (when: When) => `${formatDate(when)}, ${formatTime(when)}`;
/** `12 Dec`, with the year when it is not this one. */
export const formatDue = (when: When) =>
  dateOf(when).getFullYear() === new Date().getFullYear() ? formatDay(when) : formatDate(when);

/** `22 min ago`, `2 h ago`, `Today, 08:10`, `Yesterday`, `2 Nov`, `2 Nov 2025` */
export function formatAgo(when: When, now = new Date()) {
  const minutes = Math.floor((now.getTime() - dateOf(when).getTime()) / 60_000);
  if (minutes < 1 && minutes > -5) return i18n.t("web.time.now");
  if (minutes >= 0 && minutes < 60) return i18n.t("web.time.minutes", { count: minutes });
  if (minutes >= 0 && minutes < 240) return i18n.t("web.time.hours", { count: Math.floor(minutes / 60) });
  if (dayOf(when) === dayOf(now)) return i18n.t("web.time.today", { time: formatTime(when) });
  if (dayOf(when) === dayOf(new Date(now.getTime() - DAY_MS))) return i18n.t("web.time.yesterday");
  return formatDue(when);
}

// The same in a time zone that is named: events take place somewhere

const zoned = (when: When, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  part(when, { ...options, timeZone });
/** `14:00` */
export const formatTimeIn = (when: When, zone: string) =>
  zoned(when, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** `26 Nov` */
export const formatDayIn = (when: When, zone: string) =>
  `${zoned(when, zone, { day: "numeric" })} ${zoned(when, zone, { month: "short" })}`;
/** `26 Nov 2026` */
export const formatDateIn = (when: When, zone: string) =>
  `${formatDayIn(when, zone)} ${zoned(when, zone, { year: "numeric" })}`;
/** Day of the month in two figures, month, year and weekday, and whether it is this year, for a date that is set as a block. */
export const datePartsIn = (when: When, zone: string) => ({
  day: zoned(when, zone, { day: "numeric" }).padStart(2, "0"),
  month: zoned(when, zone, { month: "short" }),
  year: zoned(when, zone, { year: "numeric" }),
  weekday: zoned(when, zone, { weekday: "long" }),
  isThisYear: zoned(when, zone, { year: "numeric" }) === zoned(new Date(), zone, { year: "numeric" }),
});
/** `November 2026` */
export const formatMonthIn = (when: When, zone: string) => zoned(when, zone, { month: "long", year: "numeric" });

/** `CET`, in the words of the language. */
export const formatZone = (when: When, zone: string) => zoneName(dateOf(when), zone, i18n.language);

/** `14:00 to 15:30`; over midnight `26 Nov, 14:00 to 27 Nov, 12:00`. */
export function formatSpanIn(from: When, to: When, zone: string) {
  const [begin, end] = [formatTimeIn(from, zone), formatTimeIn(to, zone)];
  const [first, last] = [formatDayIn(from, zone), formatDayIn(to, zone)];
  return i18n.t(
    "web.time.span",
    first === last ? { from: begin, to: end } : { from: `${first}, ${begin}`, to: `${last}, ${end}` },
  );
}

/** Seconds as `28 min`, `1 h 02`, `42 s`. */
export function formatDuration(seconds: number) {
  if (seconds > 0 && seconds < 60) return `${Math.round(seconds)}${GAP}s`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0
    ? `${minutes}${GAP}min`
    : `${formatNumber(hours)}${GAP}h${GAP}${String(minutes % 60).padStart(2, "0")}`;
}

/** `1,284` */
export const formatNumber = (value: number, digits = 0) =>
  new Intl.NumberFormat(i18n.language, { maximumFractionDigits: digits }).format(value);

/** 0 to 100 as `88 %`; null (nothing to divide by, not measured yet) as a dash. */
export const formatPercent = (value: number | null) =>
  value === null ? "–" : `${formatNumber(Math.round(value))}${GAP}%`;

/** `share(7, 11)` is 64; null when there is nothing to share. */
export const share = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : null);

/** `640 KB`, `1.2 MB`, `66 MB` (steps of 1000, as file managers count) */
export function formatBytes(bytes: number) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const step = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${formatNumber(value, value < 10 && step > 1 ? 1 : 0)}${GAP}${units[step]}`;
}

/** Two letters for a mark: `Brandt & Söhne Logistik` is BS, `ingrid.solberg@lyceum.example` is IS. */
export function initials(name: string) {
  const words =
    name
      .split("@")[0]
      ?.split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean) ?? [];
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}
