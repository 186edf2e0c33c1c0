import { day } from "#shared/core/dates.ts";

/**
 * How dates of a file are read. `dates`: which comes first in dates such as 03/04/2026; `iso`: not known. `zone`: the
 * time zone of days (IANA), for times that say how far from UTC they are.
 */
export type DateReading = { dates?: DateOrder; zone?: string };
export type DateOrder = "iso" | "dayFirst" | "monthFirst";
type Read = { value: string } | { fault: "notADate" | "unclearDate" };

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "nb", "sv", "da", "fi", "pl", "cs"];
/** `March`, `mars`, `Mär.` in the form that is compared. */
const normalWord = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}.]/gu, "")
    .toLowerCase();
const wordOf = (language: string, options: Intl.DateTimeFormatOptions, date: Date, type: "month" | "weekday") => {
  const parts = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).formatToParts(date);
  return normalWord(parts.find((part) => part.type === type)?.value ?? "");
};
const monthOf = new Map(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      // With a day, because some languages have another form of a month alone.
      Array.from({ length: 12 }, (_, at): [string, string] => [
        wordOf(language, { day: "numeric", month }, new Date(Date.UTC(2026, at, 5)), "month"),
        String(at + 1),
      ]),
    ),
  ),
);
for (const [name, month] of ["mrz 3", "maerz 3", "sept 9"].map((text) => text.split(" ") as [string, string]))
  monthOf.set(name, month);
const weekdays = new Set(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((weekday) =>
      Array.from({ length: 7 }, (_, at) =>
        wordOf(language, { weekday }, new Date(Date.UTC(2026, 0, 5 + at)), "weekday"),
      ),
    ),
  ),
);

const CLOCK = String.raw`(?:[01]?\d|2[0-3])[:.][0-5]\d(?:[:.][0-5]\d(?:[.,]\d+)?)?`;
const AFTER_CLOCK = String.raw`(?:[ap]\.?m\.?|Uhr|Z|UTC|GMT|[+-]\d\d:?\d\d)`;
const TIME = new RegExp(String.raw`[T ,]+(?:(?:at|um|à|kl\.?) )?${CLOCK} ?${AFTER_CLOCK}?$`, "iu");
const FROM_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The calendar day that a text means, with or without a weekday and a time: `2026-03-29`, `2026/3/29`, `20260329`,
 * `29.3.2026`, `29/03/2026`, `29 March 2026`, `Mar 29, 2026`, `29-MAR-2026`. What has two meanings is refused unless
 * `dates` says which is meant; years of two digits and the numbers of spreadsheets are refused, too.
 */
export function readDate(written: string, { dates = "iso", zone }: DateReading = {}): Read {
  const instant = zone !== undefined && FROM_UTC.test(written) ? Date.parse(written) : NaN;
  if (!Number.isNaN(instant)) return toDay(...dayIn(instant, zone as string));
  const whole = written.trim().replace(TIME, "").trim();
  const text = withoutWeekday(whole);
  const iso =
    /^(\d{4})([-/.]\s?)(\d\d?)\2(\d\d?)\.?$/.exec(text) ??
    /^((?:19|20)\d\d)()(\d\d)(\d\d)$/.exec(text) ??
    /^(\d{4})([年년]\s?)(\d\d?)[月월]\s?(\d\d?)[日일]$/.exec(text);
  if (iso) return toDay(iso[1], iso[3], iso[4]);
  // The month first: "mar" is a month in English, and a day of the week in Spanish.
  const named = readNamed(whole) ?? readNamed(text);
  if (named) return named;
  const dotted = /^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})\.?$/.exec(text);
  if (dotted) return toDay(dotted[3], dotted[2], dotted[1]);
  const [, first, second, year] = /^(\d\d?)[/-](\d\d?)[/-](\d{4})$/.exec(text) ?? [];
  if (!first || !second) return { fault: "notADate" };
  const clear = clearOrder(Number(first), Number(second));
  // One that contradicts the choice says that the choice may be wrong for all.
  if (clear && dates !== "iso" && clear !== dates) return { fault: "unclearDate" };
  const order = clear ?? dates;
  if (order === "iso" && first !== second) return { fault: "unclearDate" };
  return order === "dayFirst" ? toDay(year, second, first) : toDay(year, first, second);
}

/** The order that numbers over 12 show; null if there is none. */
function clearOrder(first: number, second: number): DateOrder | null {
  if (first > 12) return "dayFirst";
  return second > 12 ? "monthFirst" : null;
}

function withoutWeekday(text: string) {
  const [all, word] = /^(\p{L}+)\.?,? +(?=.*\d.*\d)/u.exec(text) ?? [];
  return word !== undefined && weekdays.has(normalWord(word)) ? text.slice(all?.length) : text;
}

/** A date with the name of its month; null for any other text. */
function readNamed(text: string): Read | null {
  const [, date, name, year] =
    /^(\d\d?)(?:st|nd|rd|th|er|º)?(?:\. ?|[ /-])(?:de )?(\p{L}+)\.?,?[ /-](?:de |del )?(\d{4})$/iu.exec(text) ?? [];
  const [, otherName, otherDate, otherYear] = /^(\p{L}+)\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})$/iu.exec(text) ?? [];
  const month = monthOf.get(normalWord(name ?? otherName ?? ""));
  return month ? toDay(year ?? otherYear, month, date ?? otherDate) : null;
}

function dayIn(instant: number, timeZone: string): [string, string, string] {
  const parts = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "numeric", day: "numeric" })
    .formatToParts(new Date(instant))
    .map(({ type, value }): [string, string] => [type, value]);
  const { year = "", month = "", day: date = "" } = Object.fromEntries(parts);
  return [year, month, date];
}

function toDay(year = "", month = "", date = ""): Read {
  const value = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return day.safeParse(value).success ? { value } : { fault: "notADate" };
}
