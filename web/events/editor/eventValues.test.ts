import { expect, test } from "vitest";
import { changesOf, concernsGuests, moveEnd, newValues } from "#web/events/editor/eventValues.ts";

test("moves the end with the start", () => {
  const times = { startsLocal: "2026-11-26T14:00", endsLocal: "2026-11-26T15:30" };
  expect(moveEnd(times, "2026-12-31T23:00")).toBe("2027-01-01T00:30");
  expect(moveEnd({ ...times, endsLocal: "2026-11-26T13:00" }, "2026-12-01T09:00")).toBe("2026-11-26T13:00");
});

test("sends changed fields only, and never an empty slug", () => {
  const base = { ...newValues(), title: "Talk", slug: "talk" };
  expect(changesOf(base, base)).toEqual({});
  expect(changesOf({ ...base, slug: "", title: "Talk two", accessCode: "x" }, base)).toEqual({
    title: "Talk two",
    accessCode: "x",
  });
  expect([concernsGuests({ title: "x" }), concernsGuests({ venue: base.venue })]).toEqual([false, true]);
});
