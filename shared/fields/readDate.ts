import { day } from "#shared/core/dates.ts";

/** Which comes first in dates such as 03/04/2026; `iso`: not known. */
export type DateOrder = "iso" | "dayFirst" | "monthFirst";
type Read = { value: string } | { fault: "notADate" | "unclearDate" };

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "nb", "sv", "da"];
/** `March`, `mars`, `Mär.` in the form that is compared. */
const normalMonth = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}.]/gu, "")
    .toLowerCase();
const monthOf = new Map(
  LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) => {
      // With a day, because some languages have another form of a month alone.
      const format = new Intl.DateTimeFormat(language, { day: "numeric", month, timeZone: "UTC" });
      return Array.from({ length: 12 }, (_, at): [string, string] => {
        const parts = format.formatToParts(new Date(Date.UTC(2026, at, 5)));
        return [normalMonth(parts.find(({ type }) => type === "month")?.value ?? ""), String(at + 1)];
      });
    }),
  ),
);

const TIME =
  /[T ,]+(?:(?:at|um|à) )?\d{1,2}[:.]\d\d(?:[:.]\d\d(?:[.,]\d+)?)? ?(?:[ap]\.?m\.?|Z|Uhr|[+-]\d\d:?\d\d)?$/iu;
const WEEKDAY = /^\p{L}+\.?, (?=.*\d.*\d)/u;

/**
 * The calendar day that a text means, with or without a weekday and a time: `2026-03-29`, `2026/3/29`, `20260329`,
 * `29.3.2026`, `29/03/2026`, `29 March 2026`, `Mar 29, 2026`, `29-MAR-2026`. What has two meanings is refused unless
 * `dates` says which is meant.
 */
export function readDate(written: string, dates: DateOrder = "iso"): Read {
  const text = written.trim().replace(TIME, "").trim();
  const iso = /^(\d{4})([-/.])(\d\d?)\2(\d\d?)$/.exec(text) ?? /^((?:19|20)\d\d)()(\d\d)(\d\d)$/.exec(text);
  if (iso) return toDay(iso[1], iso[3], iso[4]);
  const named = readNamed(text.replace(WEEKDAY, ""));
  if (named) return named;
  const dotted = /^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})$/.exec(text);
  if (dotted) return toDay(dotted[3], dotted[2], dotted[1]);
  const [, first, second, year] = /^(\d\d?)[/-](\d\d?)[/-](\d{4})$/.exec(text) ?? [];
  if (!first || !second) return { fault: "notADate" };
  const isClear = Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second);
  if (!isClear && dates === "iso") return { fault: "unclearDate" };
  const isDayFirst = isClear ? Number(first) > 12 : dates === "dayFirst";
  return isDayFirst ? toDay(year, second, first) : toDay(year, first, second);
}

/** A date with the name of its month; null for any other text. */
function readNamed(text: string): Read | null {
  const [, date, name, year] =
    /^(\d\d?)(?:st|nd|rd|th|er|º)?\.?[ -](?:de )?(\p{L}+)\.?,?[ -](?:de |del )?(\d{4})$/iu.exec(text) ?? [];
  const [, otherName, otherDate, otherYear] = /^(\p{L}+)\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})$/iu.exec(text) ?? [];
  const month = monthOf.get(normalMonth(name ?? otherName ?? ""));
  return month ? toDay(year ?? otherYear, month, date ?? otherDate) : null;
}

function toDay(year = "", month = "", date = ""): Read {
  const value = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  return day.safeParse(value).success ? { value } : { fault: "notADate" };
}
