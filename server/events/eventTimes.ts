import { Temporal } from "temporal-polyfill";
import { badField, sentence } from "#server/core/http/problem.ts";
import { cityOf, zoneName } from "#shared/core/dates.ts";

/**
 * The instant of a local time in a time zone, as ISO text in UTC. A time that occurs twice means its first occurrence;
 * a time that daylight saving skips is refused with an issue for the field `path`. Zone aliases (`Asia/Saigon`,
 * `US/Pacific`) are valid.
 */
export function instantOf(wall: string, zone: string, path: string): string {
  const local = parseWallTime(wall, path);
  const instants = (["earlier", "later"] as const).map((disambiguation) =>
    local.toZonedDateTime(zone, { disambiguation }),
  );
  const [earlier, later] = instants as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  if (!earlier.toPlainDateTime().equals(local)) {
    throw badField(path, "events.noSuchTime", {
      time: wall.replace("T", " "),
      zone,
      next: later.toPlainDateTime().toString().slice(0, 16).replace("T", " "),
    });
  }
  return new Date(earlier.epochMilliseconds).toISOString();
}

/** A note for the field `path` if the local time occurs twice, because clocks go back. */
export function ambiguityNotesOf(wall: string | null, zone: string, path: string) {
  if (!wall) return [];
  const [earlier, later] = (["earlier", "later"] as const).map((disambiguation) =>
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation }),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  if (earlier.epochMilliseconds === later.epochMilliseconds) return [];
  return [{ path, code: "events.twiceTime", message: sentence("events.twiceTime", { time: wall.slice(11), zone }) }];
}

function parseWallTime(wall: string, path: string) {
  try {
    return Temporal.PlainDateTime.from(wall, { overflow: "reject" });
  } catch {
    throw badField(path, "events.badTime");
  }
}

/** An instant with its UTC offset (ISO 8601): `2026-06-12T10:00:00+02:00`. */
export const withOffset = (instant: string, zone: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ timeZoneName: "never", smallestUnit: "second" });

/** The first instant of a day in a time zone. */
export const startOfDay = (day: string, zone: string) =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds).toISOString();

/** Local time of an instant in a time zone, `2026-06-12T10:00`. */
export const wallOf = (instant: string, zone: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** A formatter of instants as `2026-06-12 10:00` in one time zone; creating it is slow, using it is not. */
export function wallTimeFormatter(timeZone: string) {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (instant: string) => format.format(Date.parse(instant));
}

/** A time span with the name of its time zone: `Friday, 12 June 2026, 10:00 to 12:00 (Berlin time, CEST)`. */
export function spanText({ startsAt, endsAt, timezone }: { startsAt: string; endsAt: string; timezone: string }) {
  const [from, to] = [wallOf(startsAt, timezone), wallOf(endsAt, timezone)];
  const day = (instant: string) =>
    format(instant, timezone, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const hour = (instant: string) => format(instant, timezone, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const zones = [zoneName(startsAt, timezone), zoneName(endsAt, timezone)];
  const zone = zoneLabel(timezone, zones[0] === zones[1] ? (zones[0] ?? "") : zones.join(" to "));
  return from.slice(0, 10) === to.slice(0, 10)
    ? `${day(startsAt)}, ${hour(startsAt)} to ${hour(endsAt)} (${zone})`
    : `${day(startsAt)}, ${hour(startsAt)} to ${day(endsAt)}, ${hour(endsAt)} (${zone})`;
}

/** A date and time with the name of its time zone. */
export const timeText = (instant: string, zone: string) => {
  const time = format(instant, zone, {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return `${time} (${zoneLabel(zone, zoneName(instant, zone))})`;
};

const format = (instant: string, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(new Date(instant));
const zoneLabel = (zone: string, name: string) => (cityOf(zone) === name ? name : `${cityOf(zone)} time, ${name}`);
