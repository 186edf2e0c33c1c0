import { describe, expect, test } from "vitest";
import { eventPhase, type Seats } from "#shared/events/eventPhases.ts";

describe("eventPhase", () => {
  const now = new Date("2026-06-10T12:00:00Z");
  const base = {
    status: "published" as const,
    cancelledAt: null,
    startsAt: "2026-06-12T08:00:00Z",
    endsAt: "2026-06-12T10:00:00Z",
    attendanceMode: "in_person" as const,
    registrationMode: "open" as const,
    registrationOpensAt: null,
    registrationClosesAt: null,
    capacity: 10,
    capacityOnline: null,
    waitlistEnabled: true,
  };
  const noSeatsTaken: Seats = { taken: 0, takenOnline: 0, waiting: 0, waitingOnline: 0 };
  test.each([
    ["open", {}, {}],
    ["open", { capacity: null }, { taken: 5000 }],
    ["waitlist_open", {}, { taken: 10 }],
    ["waitlist_open", { capacity: 5 }, { taken: 10 }],
    ["waitlist_open", {}, { taken: 8, waiting: 1 }],
    ["full", { waitlistEnabled: false }, { taken: 10 }],
    ["open", { attendanceMode: "hybrid" }, { taken: 10 }],
    ["waitlist_open", { attendanceMode: "hybrid", capacityOnline: 3 }, { taken: 10, takenOnline: 3 }],
    ["full", { attendanceMode: "hybrid", capacityOnline: 3, waitlistEnabled: false }, { taken: 10, takenOnline: 3 }],
    ["open", { attendanceMode: "online", capacityOnline: 0 }, {}],
    ["registration_closed", { registrationClosesAt: "2026-06-10T12:00:00Z" }, {}],
    ["open", { registrationClosesAt: "2026-06-10T12:00:01Z" }, {}],
    ["not_open_yet", { registrationOpensAt: "2026-06-10T12:00:01Z", registrationClosesAt: "2026-06-09T12:00:00Z" }, {}],
    ["closed", { registrationMode: "closed", registrationOpensAt: "2026-06-11T12:00:00Z" }, {}],
    ["open", { registrationMode: "external" }, { taken: 99 }],
    ["ongoing", { startsAt: "2026-06-10T12:00:00Z", registrationMode: "closed" }, {}],
    ["ended", { startsAt: "2026-06-10T10:00:00Z", endsAt: "2026-06-10T12:00:00Z" }, {}],
    ["cancelled", { status: "cancelled", cancelledAt: "2026-06-01T00:00:00Z", endsAt: "2026-06-02T12:00:00Z" }, {}],
    ["cancelled", { status: "archived", cancelledAt: "2026-06-01T00:00:00Z", endsAt: "2026-06-02T12:00:00Z" }, {}],
  ] as const)("%s: %j %j", (phase, event, seats) => {
    expect(eventPhase({ ...base, ...event }, { ...noSeatsTaken, ...seats }, now)).toBe(phase);
  });
});
