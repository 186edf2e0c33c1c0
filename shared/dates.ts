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
