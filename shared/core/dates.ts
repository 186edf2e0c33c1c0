import { z } from "zod";

// Days and instants that people enter. Bounded, so that every time zone, calculation and database can represent them

export const FIRST_YEAR = 1970;
export const LAST_YEAR = 2100;
const isInRange = (value: string) => {
  const time = Date.parse(value);
  return time >= Date.UTC(FIRST_YEAR, 0, 1) && time < Date.UTC(LAST_YEAR + 1, 0, 1);
};
const range = { error: "core.dateRange" };

/** A calendar day: `2026-03-29`. */
export const day = z.iso.date().refine(isInRange, range);
/** An instant with its offset from UTC: `2026-03-29T01:30:00Z`. */
export const instant = z.iso.datetime({ offset: true }).refine(isInRange, range);
/** A local time without a zone: `2026-03-29T02:30`. */
export const wallTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, { error: "events.badTime", abort: true })
  .refine((value) => isInRange(`${value.slice(0, 10)}T00:00Z`), range);

/** Null stays null: a time that is not shown. */
export const minutesOf = (seconds: number | null) => (seconds === null ? null : Math.round(seconds / 60));

const DAY_MS = 86_400_000;
/** The calendar day so many days after another one. */
export const addDays = (from: string, days: number) =>
  new Date(Date.parse(`${from}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
/** Days from one calendar day to another one. */
export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

// Time zones

/**
 * The abbreviation of a time zone at an instant, such as `CET`, for emails and pages. Each English locale knows only
 * the abbreviations of its own region, so several are tried, `language` first. `GMT+5:30` if none knows one.
 */
export function zoneName(instant: string | number | Date, timeZone: string, language = "en-GB") {
  const names = [language, "en-GB", "en-US", "en-AU"].map(
    (locale) =>
      formatterOf(locale, timeZone)
        .formatToParts(new Date(instant))
        .find(({ type }) => type === "timeZoneName")?.value ?? "",
  );
  return names.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? names[0] ?? "";
}

/** Cached, because creating a formatter is much slower than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(language: string, timeZone: string) {
  const formatter =
    formatters.get(language + timeZone) ?? new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "short" });
  formatters.set(language + timeZone, formatter);
  return formatter;
}

/** The city of an IANA time zone: `Oslo` of `Europe/Oslo`. */
export const cityOf = (zone: string) => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
