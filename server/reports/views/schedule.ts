import { sql } from "kysely";
import type { Rhythm } from "#shared/reports/views.ts";

const spans = { weekly: ["week", "7 days"], monthly: ["month", "1 month"] } as const;
/** Hour of the day at which emails with figures are sent. */
const HOUR = 7;

/**
 * The next Monday, or first of a month, at seven o'clock in a time zone: the same hour before and after a change of the
 * clock.
 */
export function nextMailAt(rhythm: Rhythm, zone: string) {
  const [unit, length] = spans[rhythm];
  return sql<string>`(date_trunc(${unit}, now() at time zone ${zone}) + ${length}::interval + make_interval(hours => ${HOUR}::int))
    at time zone ${zone}`;
}
