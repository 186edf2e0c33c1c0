import { expect, test } from "vitest";
import { reports } from "#shared/reports/reports.ts";
import { academies } from "#shared/settings/settings.ts";
import { start } from "#test/start.ts";

const { as, make } = await start();
const admin = await make.admin();
const change = async (timeZone: string | null) => {
  const { version } = (await as(admin)(academies.settings)).body;
  return as(admin)(academies.update, { body: { timeZone, version } });
};

test("new companies and reports on courses use the time zone of the academy", async () => {
  const course = await make.course(admin);
  const zoneOf = async () => (await as(admin)(reports.figures, { params: { id: course.id } })).body.filters.zone;
  const before = await make.company(admin);
  expect([before.timezone, await zoneOf()]).toEqual(["UTC", "UTC"]);
  expect((await change("Asia/Kolkata")).body.timeZone).toBe("Asia/Kolkata");
  expect((await as(null)(academies.read)).body.timeZone).toBe("Asia/Kolkata");
  const after = await make.company(admin);
  expect([after.timezone, await zoneOf()]).toEqual(["Asia/Kolkata", "Asia/Kolkata"]);
  expect((await make.company(admin, { timezone: "Europe/Oslo" })).timezone).toBe("Europe/Oslo");
  expect((await change(null)).body.timeZone).toBeNull();
});

test("an unknown time zone is refused", async () => {
  for (const zone of ["", "Nowhere/City", "+02:00", "utc'; drop table users"])
    expect([zone, (await change(zone)).status]).toEqual([zone, 422]);
});
