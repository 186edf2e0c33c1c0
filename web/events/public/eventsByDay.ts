import { dayIn } from "#web/core/format/zone.ts";

/** The events of each day in a time zone; events of several days are listed on each of them. */
export function eventsByDay<E extends { startsAt: string; endsAt: string }>(
  events: E[],
  days: string[],
  zone: string,
): Map<string, E[]> {
  const byDay = new Map<string, E[]>();
  for (const event of events) {
    const first = dayIn(event.startsAt, zone);
    // An event that ends at midnight does not belong to the next day.
    const last = dayIn(new Date(Date.parse(event.endsAt) - 1).toISOString(), zone);
    for (const day of days) if (day >= first && day <= last) byDay.set(day, [...(byDay.get(day) ?? []), event]);
  }
  return byDay;
}
