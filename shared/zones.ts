/**
 * The name of a time zone's clocks at a moment: `CET`. Each English names only its own zones, so all are asked, the reader's
 * language first. `GMT+5:30` where none has a name. The same in mails and on pages.
 */
export function zoneName(instant: string | number | Date, timeZone: string, language = "en-GB") {
  const named = [language, "en-GB", "en-US", "en-AU"].map(
    (one) =>
      formatterOf(one, timeZone)
        .formatToParts(new Date(instant))
        .find(({ type }) => type === "timeZoneName")?.value ?? "",
  );
  return named.find((name) => !/^(GMT|UTC)[+-]/.test(name)) ?? named[0] ?? "";
}

/** Making a formatter takes a thousand times longer than using it. */
const made = new Map<string, Intl.DateTimeFormat>();
function formatterOf(language: string, timeZone: string) {
  const formatter =
    made.get(language + timeZone) ?? new Intl.DateTimeFormat(language, { timeZone, timeZoneName: "short" });
  made.set(language + timeZone, formatter);
  return formatter;
}

/** `Europe/Oslo` as `Oslo`. */
export const cityOf = (zone: string) => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
