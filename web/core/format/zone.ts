import { useSyncExternalStore } from "react";

// Calendar days and local times in a given time zone

/** The UTC offset of `zone` at an instant, in ms. */
function offsetOf(instant: number, zone: string) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(instant);
  const field = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(field("year"), field("month") - 1, field("day"), field("hour"), field("minute"), field("second")) -
    Math.floor(instant / 1000) * 1000
  );
}

/** The last second of a calendar day (`2026-12-12`) in `zone`, as ISO time. */
export function endOfDay(day: string, zone: string) {
  const shown = Date.parse(`${day}T23:59:59Z`);
  const estimate = shown - offsetOf(shown, zone);
  return new Date(shown - offsetOf(estimate, zone)).toISOString();
}

/**
 * The instant of a local time (`2026-03-29T14:00`) in `zone`. A time skipped by the change to summer time is moved
 * forward.
 */
export function toInstant(localTime: string, zone: string) {
  const shown = Date.parse(`${localTime}:00Z`);
  const estimate = shown - offsetOf(shown, zone);
  return new Date(shown - offsetOf(estimate, zone));
}

/** The calendar day of an instant in `zone`. */
export const dayIn = (instant: string, zone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    Date.parse(instant),
  );

/** The time zone of this browser; null during server-side rendering and hydration. */
export const useBrowserZone = () => useSyncExternalStore(subscribeToNothing, browserZone, () => null);
const subscribeToNothing = () => () => {};

let ownZone: string | undefined;
/** The time zone of this browser; cached, because reading it takes as long as creating a formatter. */
export const browserZone = () => (ownZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");

/** True if both zones have the same UTC offset at an instant. */
export const hasSameOffset = (instant: string, one: string, other: string) =>
  offsetOf(Date.parse(instant), one) === offsetOf(Date.parse(instant), other);
