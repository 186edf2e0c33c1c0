import type { Registration } from "#shared/events/registrationRows.ts";

/**
 * How many people on the waiting list are ahead of the last of these people and not among them; counted per kind of
 * attendance.
 */
export function countPassedOver(people: Pick<Registration, "attendance" | "waitlistPosition">[]) {
  const byAttendance = Map.groupBy(
    people.filter(({ waitlistPosition }) => waitlistPosition !== null),
    ({ attendance }) => attendance,
  );
  return [...byAttendance.values()].reduce(
    (sum, group) => sum + Math.max(...group.map(({ waitlistPosition }) => waitlistPosition ?? 0)) - group.length,
    0,
  );
}
