import type { Registration } from "#shared/eventRegistrations.ts";

/** How many of the waiting list stand before the last of these people and are not among them; room and online are two lines when both are there. */
export function passedOver(people: Pick<Registration, "attendance" | "waitlistPosition">[]) {
  const lines = Map.groupBy(
    people.filter(({ waitlistPosition }) => waitlistPosition !== null),
    ({ attendance }) => attendance,
  );
  return [...lines.values()].reduce(
    (sum, line) => sum + Math.max(...line.map(({ waitlistPosition }) => waitlistPosition ?? 0)) - line.length,
    0,
  );
}
