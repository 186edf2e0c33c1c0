import { i18n } from "#web/core/i18n.ts";
import { expect, test } from "vitest";
import {
  formatAgo,
  formatBytes,
  formatDate,
  formatDueRange,
  formatDuration,
  formatElapsed,
  formatNumber,
  formatPercent,
  formatSpanIn,
  formatTimeIn,
  formatZone,
  initials,
} from "#web/core/format/format.ts";

const withSpaces = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [0, "0 min"],
  [42, "42 s"],
  [1680, "28 min"],
  [3720, "1 h 02"],
  [35_160, "9 h 46"],
])("formats %d s as %s", (seconds, text) => {
  expect(withSpaces(formatDuration(seconds))).toBe(text);
});

test.each([
  [0, "0 s"],
  [41_900, "41 s"],
  [690_000, "11 min 30 s"],
  [3_600_000, "1 h"],
  [3_727_000, "1 h 2 min 7 s"],
])("formats %d ms since the start as %s", (ms, text) => {
  expect(withSpaces(formatElapsed(ms))).toBe(text);
});

test.each([
  [512, "512 B"],
  [640_000, "640 KB"],
  [1_240_000, "1.2 MB"],
  [66_000_000, "66 MB"],
])("formats %d bytes as %s", (bytes, text) => {
  expect(withSpaces(formatBytes(bytes))).toBe(text);
});

test("formats numbers, percentages and dates", () => {
  expect(formatNumber(1284)).toBe("1,284");
  expect(withSpaces(formatPercent(87.6))).toBe("88 %");
  expect(formatPercent(null)).toBe("–");
  expect(formatDate("2026-12-12")).toBe("12 Dec 2026");
  expect(formatDate("2026-09-03")).toBe("3 Sep 2026");
});

test("texts show amounts with thousands separators, and versions without", () => {
  expect(i18n.t("web.table.selected", { count: 1284, total: 50_000 })).toBe("1,284 of 50,000 selected");
  expect(i18n.t("courses.version", { number: 1284 })).toContain("1284");
});

test("formats due dates of several people as a range, with the year if it differs", () => {
  const year = new Date().getFullYear();
  expect(formatDueRange(`${year}-12-12`, `${year}-12-12`)).toBe("12 Dec");
  expect(formatDueRange(`${year - 1}-12-31`, `${year}-11-03`)).toBe(`31 Dec ${year - 1} to 3 Nov`);
});

test.each([
  ["Brandt & Söhne Logistik", "BS"],
  ["ingrid.solberg@lyceum.example", "IS"],
  ["Ålesund", "ÅL"],
  ["", "?"],
])("derives the initials of %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});

test("formats recent times relatively, older ones by day", () => {
  const now = new Date("2026-11-20T14:05:00");
  const ago = (text: string) => formatAgo(new Date(text), now);
  expect(ago("2026-11-20T14:04:40")).toBe("Just now");
  expect(ago("2026-11-20T13:43:00")).toBe("22 min ago");
  expect(ago("2026-11-20T12:00:00")).toBe("2 h ago");
  expect(ago("2026-11-20T08:10:00")).toBe("Today, 08:10");
  expect(ago("2026-11-19T23:00:00")).toBe("Yesterday");
  expect(ago("2025-11-02T10:00:00")).toBe("2 Nov 2025");
});

test("formats times in a given zone, with its short name", () => {
  const [from, to] = ["2026-11-26T13:00:00Z", "2026-11-26T14:30:00Z"];
  expect(formatTimeIn(from, "Europe/Oslo")).toBe("14:00");
  expect(formatSpanIn(from, to, "Europe/Oslo")).toBe("14:00 to 15:30");
  expect(formatSpanIn("2026-11-26T22:00:00Z", "2026-11-27T02:00:00Z", "Europe/Oslo")).toBe(
    "26 Nov, 23:00 to 27 Nov, 03:00",
  );
  expect([
    formatZone(from, "Europe/Oslo"),
    formatZone(from, "America/New_York"),
    formatZone("2026-07-01T00:00:00Z", "Europe/Oslo"),
  ]).toEqual(["CET", "EST", "CEST"]);
  expect(formatZone(from, "Asia/Kolkata")).toMatch(/IST|GMT\+5:30/);
});
