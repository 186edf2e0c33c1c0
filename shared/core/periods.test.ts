import { expect, test } from "vitest";
import { analyticsPeriods, dashboardPeriods, defaultPeriods, reportPeriods } from "#shared/core/periods.ts";
import { dashboardQuery } from "#shared/reports/dashboard.ts";
import { periodBefore } from "#shared/reports/reportQueries.ts";

const offered = [...dashboardPeriods, ...reportPeriods, ...analyticsPeriods, ...Object.values(defaultPeriods)];

test.each([...new Set(offered)])("a period of %d days has the same weekdays as the one before", (days) => {
  const to = "2026-11-25";
  const from = new Date(Date.parse(to) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const before = periodBefore({ from, to });
  const weekdayOf = (day: string) => new Date(day).getUTCDay();
  expect([weekdayOf(before.from), weekdayOf(before.to)]).toEqual([weekdayOf(from), weekdayOf(to)]);
});

test("the default periods are offered, and the dashboard accepts its periods", () => {
  expect(dashboardPeriods).toContain(defaultPeriods.dashboard);
  expect(reportPeriods).toContain(defaultPeriods.report);
  expect(analyticsPeriods).toContain(defaultPeriods.analytics);
  expect(dashboardQuery.parse({})).toEqual({ days: defaultPeriods.dashboard });
  for (const days of dashboardPeriods) expect(dashboardQuery.safeParse({ days }).success).toBe(true);
});
