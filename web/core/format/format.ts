import { i18n } from "#web/core/i18n.ts";
import { compactNumberIn, numberIn } from "#web/core/numbers.ts";
import { browserZone } from "#web/core/format/zone.ts";
import { zoneName } from "#shared/core/dates.ts";
import { roundPercent } from "#shared/core/percent.ts";

// Formats dates, times and numbers: "12 Dec 2026", "14:03", "1 h 02", "88 %", "66 MB"

/** No-break space, between a number and its unit. */
const NBSP = "\u00a0";
const DAY_MS = 86_400_000;

type When = string | Date;
/** A date without a time (`2026-12-12`) is a calendar day, not midnight UTC. */
const isCalendarDay = (when: When) => typeof when === "string" && /^\d{4}-\d\d-\d\d$/.test(when);
function toDate(when: When) {
  if (typeof when !== "string") return when;
  return new Date(isCalendarDay(when) ? `${when}T12:00` : when);
}

/** Cached, because creating a formatter takes a thousand times longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function getFormatter(language: string, options: Intl.DateTimeFormatOptions) {
  const key = language + JSON.stringify(options);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(key, formatter);
  return formatter;
}
/**
 * While a page is rendered on the server, an instant needs a named time zone: the server's zone is not the visitor's,
 * and hydration would discard the page. `web/server.tsx` switches this on.
 */
export const serverRendering = { isActive: false };
function formatWith(when: When, options: Intl.DateTimeFormatOptions) {
  if (serverRendering.isActive && !options.timeZone && !isCalendarDay(when))
    throw new Error("A date that is rendered on the server needs a time zone");
  return getFormatter(i18n.language, options).format(toDate(when));
}
const dayKey = (when: When) => toDate(when).toDateString();

/** `12 Dec 2026` */
export const formatDate = (when: When) => `${formatDay(when)} ${toDate(when).getFullYear()}`;
/** `12 Dec` */
export const formatDay = (when: When) => `${toDate(when).getDate()} ${formatMonth(when)}`;
/** `Dec` */
export const formatMonth = (when: When) => formatWith(when, { month: "short" });
/** `Friday 20 November` */
export const formatLongDay = (when: When) =>
  `${formatWith(when, { weekday: "long" })} ${toDate(when).getDate()} ${formatWith(when, { month: "long" })}`;
/** `14:03` */
export const formatTime = (when: When) => formatWith(when, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** `12 Dec 2026, 14:03` */
export const formatDateTime = (when: When) => `${formatDate(when)}, ${formatTime(when)}`;
/** `12 Dec 2026, 14:03:27 CET`, to the second, for records. */
export const formatExactTime = (when: When) => {
  const time = formatWith(when, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  return `${formatDate(when)}, ${time} ${formatZone(when, browserZone())}`;
};
/** `12 Dec`, with the year if it is not the current one. */
export const formatDue = (when: When) => (isThisYear(when) ? formatDay(when) : formatDate(when));
export const isThisYear = (when: When) => toDate(when).getFullYear() === new Date().getFullYear();

/** `12 Dec`, or for different days `3 Nov 2025 to 12 Dec`: the due dates of several people. */
export const formatDueRange = (from: When, to: When) =>
  from === to ? formatDue(from) : i18n.t("web.time.span", { from: formatDue(from), to: formatDue(to) });

/** `22 min ago`, `2 h ago`, `Today, 08:10`, `Yesterday`, `2 Nov`, `2 Nov 2025` */
export function formatAgo(when: When, now = new Date()) {
  const minutes = Math.floor((now.getTime() - toDate(when).getTime()) / 60_000);
  if (minutes < 1 && minutes > -5) return i18n.t("web.time.now");
  if (minutes >= 0 && minutes < 60) return i18n.t("web.time.minutes", { count: minutes });
  if (minutes >= 0 && minutes < 240) return i18n.t("web.time.hours", { count: Math.floor(minutes / 60) });
  if (dayKey(when) === dayKey(now)) return i18n.t("web.time.today", { time: formatTime(when) });
  if (dayKey(when) === dayKey(new Date(now.getTime() - DAY_MS))) return i18n.t("web.time.yesterday");
  return formatDue(when);
}

/** `formatAgo` within a sentence: `today, 08:10`. */
export const formatAgoInText = (when: When) => {
  const text = formatAgo(when);
  return text.charAt(0).toLowerCase() + text.slice(1);
};

// The same in a given time zone, for events

const formatInZone = (when: When, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  formatWith(when, { ...options, timeZone });
/** `14:00` */
export const formatTimeIn = (when: When, zone: string) =>
  formatInZone(when, zone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** `26 Nov` */
export const formatDayIn = (when: When, zone: string) =>
  `${formatInZone(when, zone, { day: "numeric" })} ${formatInZone(when, zone, { month: "short" })}`;
/** `26 Nov 2026` */
export const formatDateIn = (when: When, zone: string) =>
  `${formatDayIn(when, zone)} ${formatInZone(when, zone, { year: "numeric" })}`;
/** `26 Nov 2026, 14:03` */
export const formatDateTimeIn = (when: When, zone: string) =>
  `${formatDateIn(when, zone)}, ${formatTimeIn(when, zone)}`;
/** The parts of a date block: two-digit day, month, year, weekday, and whether it is in the current year. */
export const datePartsIn = (when: When, zone: string) => ({
  day: formatInZone(when, zone, { day: "numeric" }).padStart(2, "0"),
  month: formatInZone(when, zone, { month: "short" }),
  year: formatInZone(when, zone, { year: "numeric" }),
  weekday: formatInZone(when, zone, { weekday: "long" }),
  isThisYear: formatInZone(when, zone, { year: "numeric" }) === formatInZone(new Date(), zone, { year: "numeric" }),
});
/** `November 2026` */
export const formatMonthIn = (when: When, zone: string) => formatInZone(when, zone, { month: "long", year: "numeric" });

/** `CET`, localized. */
export const formatZone = (when: When, zone: string) => zoneName(toDate(when), zone, i18n.language);

/** `14:00 to 15:30`; across midnight `26 Nov, 14:00 to 27 Nov, 12:00`. */
export function formatSpanIn(from: When, to: When, zone: string) {
  const [begin, end] = [formatTimeIn(from, zone), formatTimeIn(to, zone)];
  const [first, last] = [formatDayIn(from, zone), formatDayIn(to, zone)];
  return i18n.t(
    "web.time.span",
    first === last ? { from: begin, to: end } : { from: `${first}, ${begin}`, to: `${last}, ${end}` },
  );
}

/** Seconds as `28 min`, `1 h 02`, `42 s`. */
export function formatDuration(seconds: number | null) {
  if (seconds === null) return "–";
  if (seconds > 0 && seconds < 60) return `${Math.round(seconds)}${NBSP}s`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0
    ? `${minutes}${NBSP}min`
    : `${formatNumber(hours)}${NBSP}h${NBSP}${String(minutes % 60).padStart(2, "0")}`;
}

/** A time since the start of a session, from ms: `00:41`, `1:02:07`. */
export function formatOffset(ms: number) {
  const seconds = Math.floor(ms / 1000);
  const twoDigits = (n: number) => String(n).padStart(2, "0");
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${rest}` : rest;
}

/** A time since the start of a session in words, from ms: `41 s`, `11 min 30 s`, `1 h 2 min`. */
export function formatElapsed(ms: number) {
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ].filter(([value]) => value !== 0);
  return parts.map((part) => part.join(NBSP)).join(NBSP) || `0${NBSP}s`;
}

/** `1,284` */
export const formatNumber = (value: number | null, digits = 0) =>
  value === null ? "–" : numberIn(i18n.language, value, digits);

/** `806`, `1.2K`, `1M`: where there is no room for all digits. */
export const formatCompact = (value: number) => compactNumberIn(i18n.language, value);

/** 0 to 100 as `88 %`; null (unknown) as a dash. */
export const formatPercent = (value: number | null) =>
  value === null ? "–" : `${formatNumber(roundPercent(value))}${NBSP}%`;

/** `640 KB`, `1.2 MB`, `66 MB` (powers of 1000) */
export function formatBytes(bytes: number) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  const step = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${formatNumber(value, value < 10 && step > 1 ? 1 : 0)}${NBSP}${units[step]}`;
}

/** Two initials: BS for `Brandt & Söhne Logistik`, IS for `ingrid.solberg@lyceum.example`. */
export function initials(name: string) {
  const words =
    name
      .split("@")[0]
      ?.split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean) ?? [];
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}
