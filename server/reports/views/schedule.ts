import { sql } from "kysely";
import type { Rhythm } from "#shared/reports/views.ts";

const spans = { weekly: ["week", "7 days"], monthly: ["month", "1 month"] } as const;
/** The hour of the day at which emails with figures are sent. */
const HOUR = 7;

/** The next Monday or first of a month, at seven o'clock by the clocks of a time zone, summer and winter. */
export function nextMailAt(rhythm: Rhythm, zone: string) {
  const [unit, length] = spans[rhythm];
  const start = sql`date_trunc(${unit}, now() at time zone ${zone})`;
  return sql<string>`(${start} + ${length}::interval + make_interval(hours => ${HOUR}::int)) at time zone ${zone}`;
}
