import { expect, test } from "vitest";
import { countPassedOver } from "#web/events/organiser/countPassedOver.ts";

const waitingAt = (waitlistPosition: number | null, attendance: "in_person" | "online" = "in_person") => ({
  attendance,
  waitlistPosition,
});

test("counts people ahead of the last chosen one who are not chosen", () => {
  expect([
    countPassedOver([]),
    countPassedOver([waitingAt(1)]),
    countPassedOver([waitingAt(3)]),
    countPassedOver([waitingAt(1), waitingAt(2)]),
    countPassedOver([waitingAt(1), waitingAt(4)]),
    countPassedOver([waitingAt(null)]),
  ]).toEqual([0, 0, 2, 0, 2, 0]);
  expect(countPassedOver([waitingAt(2), waitingAt(3, "online")])).toBe(3);
});
