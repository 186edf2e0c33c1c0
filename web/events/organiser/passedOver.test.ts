import { expect, test } from "vitest";
import { passedOver } from "#web/events/organiser/passedOver.ts";

const at = (waitlistPosition: number | null, attendance: "in_person" | "online" = "in_person") => ({
  attendance,
  waitlistPosition,
});

test("those before the last chosen one who are not chosen", () => {
  expect([
    passedOver([]),
    passedOver([at(1)]),
    passedOver([at(3)]),
    passedOver([at(1), at(2)]),
    passedOver([at(1), at(4)]),
    passedOver([at(null)]),
  ]).toEqual([0, 0, 2, 0, 2, 0]);
  expect(passedOver([at(2), at(3, "online")])).toBe(3);
});
