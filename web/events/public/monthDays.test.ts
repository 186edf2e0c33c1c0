import { expect, test } from "vitest";
import { monthSpan, readMonth, shiftMonth } from "#web/events/public/monthDays.ts";

test("spans whole weeks from Monday", () => {
  const { days, from, to } = monthSpan("2026-11");
  expect([from, to, days.length]).toEqual(["2026-10-26", "2026-12-07", 42]);
  expect(monthSpan("2027-02")).toMatchObject({ from: "2027-02-01", to: "2027-03-01" });
  expect(monthSpan("2027-02").days).toHaveLength(28);
});

test("shifts months across years, and falls back to the current month", () => {
  expect([shiftMonth("2026-12", 1), shiftMonth("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  expect(readMonth("2026-13", new Date(2026, 4, 3))).toBe("2026-05");
  expect(readMonth("2026-02")).toBe("2026-02");
});
