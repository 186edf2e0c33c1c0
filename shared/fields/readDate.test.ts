import { expect, test } from "vitest";
import { readDate } from "#shared/fields/readDate.ts";

// Dates as people and programs of many countries write them; what has two meanings is refused

const sameDay =
  `2026-03-29 2026-3-29 2026/03/29 2026.3.29 20260329|2026-03-29T10:00|2026-03-29 10:15:00|29.3.2026|29. 3. 2026|
29.03.2026.|2026. 3. 29.|29.03.2026 10:15 Uhr|29/03/2026|3/29/2026|03/29/2026 9:05 AM|29-03-2026|29 March 2026|
29 Mar 2026|29-MAR-2026|29/Mar/2026|March 29, 2026|Mar 29 2026|March 29th, 2026|29th March 2026|Sunday, 29 March 2026|
Sunday, 29 March 2026, 10:15 AM|Sun 29 Mar 2026|29. März 2026|29.März 2026|29. Mrz 2026|Sonntag, 29. März 2026|
Sonntag, 29.03.2026|29 mars 2026|dimanche 29 mars 2026|29 de marzo de 2026|domingo, 29 de marzo de 2026|
29 marzo 2026|29 de março de 2026|29 maart 2026|29. mars 2026|29 marca 2026|29. března 2026|2026年3月29日|
Sun, 29 Mar 2026 10:15:00 +0100|29 Mar 2026 10:15 UTC`
    .replace(/ (?=2026[-/.]3|2026\/03|20260329)/g, "|")
    .split("|")
    .map((text) => text.trim());

test("each spelling of a day is read", () => {
  for (const text of sameDay) expect([text, readDate(text)]).toEqual([text, { value: "2026-03-29" }]);
});

test("what is unclear or no date is refused", () => {
  for (const text of ["03/04/2026", "3-4-2026"]) expect(readDate(text)).toEqual({ fault: "unclearDate" });
  const wrong =
    "29/03/26|3/29/26|46110|46110.5|31.2.2026|29/02/2025|2026-13-01|20261399|5 Foo 2026|29 2026|March 2026|2026|" +
    "2026-03-29 24:00|2026-03-29 99:99|1899-12-31|12345678|29.03.2026 and 30.03.2026|yesterday|-|00/00/2026|Q1 2026";
  for (const text of wrong.split("|")) expect([text, readDate(text)]).toEqual([text, { fault: "notADate" }]);
});

test("the order that is chosen decides, and what contradicts it is refused", () => {
  expect(readDate("03/04/2026", { dates: "dayFirst" })).toEqual({ value: "2026-04-03" });
  expect(readDate("03/04/2026", { dates: "monthFirst" })).toEqual({ value: "2026-03-04" });
  expect(readDate("03/29/2026", { dates: "dayFirst" })).toEqual({ fault: "unclearDate" });
  expect(readDate("29/03/2026", { dates: "monthFirst" })).toEqual({ fault: "unclearDate" });
  expect(readDate("3/3/2026")).toEqual({ value: "2026-03-03" });
});

test("an instant is a day of the zone", () => {
  const instant = "2026-03-28T23:00:00Z";
  expect(readDate(instant, { zone: "Europe/Berlin" })).toEqual({ value: "2026-03-29" });
  expect(readDate(instant, { zone: "America/New_York" })).toEqual({ value: "2026-03-28" });
  expect(readDate(instant)).toEqual({ value: "2026-03-28" });
});
