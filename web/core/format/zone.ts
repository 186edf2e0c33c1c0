import { useSyncExternalStore } from "react";

// Calendar days and wall times in a time zone that is not the browser's

/** How far `zone` is ahead of UTC at that moment, in ms. */
function aheadOf(moment: number, zone: string) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).formatToParts(moment);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return (
    Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second")) -
    Math.floor(moment / 1000) * 1000
  );
}

/** `2026-12-12` as the last second of that day in `zone`, as ISO time. */
export function endOfDay(day: string, zone: string) {
  const wall = Date.parse(`${day}T23:59:59Z`);
  const near = wall - aheadOf(wall, zone);
  return new Date(wall - aheadOf(near, zone)).toISOString();
}

/** `2026-03-29T14:00` on the clocks of `zone` as a moment. A time that the change to summer time skips is moved on. */
export function momentOf(wall: string, zone: string) {
  const shown = Date.parse(`${wall}:00Z`);
  const near = shown - aheadOf(shown, zone);
  return new Date(shown - aheadOf(near, zone));
}

/** The calendar day of a moment in `zone`. */
export const dayIn = (moment: string, zone: string) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    Date.parse(moment),
  );

/** The zone of this browser, once it has taken over the page: null where the server draws, which cannot know it. */
export const useOwnZone = () => useSyncExternalStore(nothing, ownZone, () => null);
const nothing = () => () => {};

/** The zone of this browser. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/** True when clocks in both zones show the same at that moment. */
export const sameClock = (moment: string, one: string, other: string) =>
  aheadOf(Date.parse(moment), one) === aheadOf(Date.parse(moment), other);
