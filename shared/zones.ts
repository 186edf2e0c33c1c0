/**
 * The abbreviation of a time zone at an instant, such as `CET`, for emails and pages. Each English locale knows only the
 * abbreviations of its own region, so several are tried, `language` first. `GMT+5:30` if none knows one.
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
