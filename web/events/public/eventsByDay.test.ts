import { expect, test } from "vitest";
import { eventsByDay } from "#web/events/public/eventsByDay.ts";
import { monthSpan } from "#web/events/public/monthDays.ts";

test("lists an event on each of its days, but not on the day that starts at its end", () => {
  const { days } = monthSpan("2026-11");
  const long = { startsAt: "2026-11-10T20:00:00Z", endsAt: "2026-11-12T23:00:00Z" };
  const short = { startsAt: "2026-11-12T10:00:00Z", endsAt: "2026-11-12T11:00:00Z" };
  const found = eventsByDay([long, short], days, "Europe/Oslo");
  expect([...found.keys()]).toEqual(["2026-11-10", "2026-11-11", "2026-11-12"]);
  expect(found.get("2026-11-12")).toEqual([long, short]);
});
