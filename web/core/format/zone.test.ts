import { expect, test } from "vitest";
import { dayIn, endOfDay, toInstant, hasSameOffset } from "#web/core/format/zone.ts";
import { cityOf } from "#shared/core/dates.ts";

test.each([
  ["2026-12-12", "UTC", "2026-12-12T23:59:59.000Z"],
  ["2026-12-12", "Europe/Oslo", "2026-12-12T22:59:59.000Z"],
  ["2026-07-01", "America/Vancouver", "2026-07-02T06:59:59.000Z"],
  ["2026-03-29", "Europe/Oslo", "2026-03-29T21:59:59.000Z"],
  ["2026-10-25", "Europe/Oslo", "2026-10-25T22:59:59.000Z"],
  ["2026-12-12", "Pacific/Kiritimati", "2026-12-12T09:59:59.000Z"],
])("finds the end of %s in %s", (day, zone, moment) => {
  expect(endOfDay(day, zone)).toBe(moment);
  expect(dayIn(moment, zone)).toBe(day);
});

test("names a zone by its city", () => expect(cityOf("America/Argentina/Buenos_Aires")).toBe("Buenos Aires"));

test("converts local times, also around a clock change", () => {
  const at = (wall: string) => toInstant(wall, "Europe/Oslo").toISOString().slice(0, 16);
  expect([at("2026-11-26T14:00"), at("2026-07-01T14:00")]).toEqual(["2026-11-26T13:00", "2026-07-01T12:00"]);
  expect(at("2026-03-29T03:30")).toBe("2026-03-29T01:30");
});

test("compares the UTC offsets of two zones", () => {
  expect(hasSameOffset("2026-11-26T13:00:00Z", "Europe/Oslo", "Europe/Berlin")).toBe(true);
  expect(hasSameOffset("2026-11-26T13:00:00Z", "Europe/Oslo", "Europe/London")).toBe(false);
});
