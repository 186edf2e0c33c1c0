import { expect, test } from "vitest";
import { parseDay } from "#web/core/filter/parseDay.ts";

test.each([
  ["24 Nov 2026", "2026-11-24"],
  [" 1 december 2026 ", "2026-12-01"],
  ["Nov 24, 2026", "2026-11-24"],
  ["2026-02-28", "2026-02-28"],
])("%s is a day", (typed, day) => expect(parseDay(typed)).toBe(day));

test.each(["", "soon", "03/04/2026", "31 Feb 2026", "2026-02-30", "24 Nov", "24 Nov 0026"])(
  "%s is not a day",
  (typed) => expect(parseDay(typed)).toBeNull(),
);
