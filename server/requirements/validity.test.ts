import { sql } from "kysely";
import { expect, test } from "vitest";
import type { RequirementTerms } from "#shared/requirements/requirements.ts";
import { numbers } from "#test/randomTalks.ts";
import { addMonths, yearly } from "#test/requirements.ts";
import { start } from "#test/start.ts";

// `requirement_end` against a second, slow way to count: day by day, without date functions of the database

const { db } = await start();

const DAY_MS = 86_400_000;
const plusDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
const lastOfMonth = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

function isFixedDay(day: string, { month, day: wanted }: { month: number; day: number }) {
  const [year, inMonth, of] = day.split("-").map(Number) as [number, number, number];
  return inMonth === month && of === Math.min(wanted, lastOfMonth(year, month));
}
function nextFixed(after: string, fixed: { month: number; day: number }) {
  let day = plusDays(after, 1);
  while (!isFixedDay(day, fixed)) day = plusDays(day, 1);
  return day;
}

/** The end of the validity, completion by completion. */
function endOf(completed: string[], terms: RequirementTerms): string | null {
  let end: string | null = null;
  for (const day of completed) {
    if (terms.months === null) return null;
    if (terms.countsFrom === "day" && terms.fixedDay) {
      end = nextFixed(day, terms.fixedDay);
      const late = Math.max(terms.skipDays, terms.windowDays + 1);
      if (Date.parse(end) - Date.parse(day) < late * DAY_MS) end = nextFixed(end, terms.fixedDay);
      for (let year = 1; year < terms.months / 12; year++) end = nextFixed(end, terms.fixedDay);
      continue;
    }
    const isRenewal: boolean =
      terms.countsFrom === "previous" &&
      end !== null &&
      day >= plusDays(end, -terms.windowDays) &&
      day <= plusDays(end, terms.graceDays);
    const next: string = addMonths(isRenewal ? (end as string) : day, terms.months);
    end = end !== null && end > next ? end : next;
  }
  return end;
}

async function askDatabase(completed: string[], terms: RequirementTerms) {
  const { rows } = await sql<{ ends: string | null }>`
    select requirement_end(
      ${completed}::date[], ${terms.months}, ${terms.countsFrom}, ${terms.fixedDay?.month ?? null},
      ${terms.fixedDay?.day ?? null}, ${terms.skipDays}, ${terms.windowDays}, ${terms.graceDays}
    )::text as ends`.execute(db);
  return rows[0]?.ends ?? null;
}

const monthsOrNone = (months: number) => (months === 0 ? null : months);

test("2,000 random histories end on the day that a slow count says (seed 20261129)", async () => {
  const next = numbers(20_261_129);
  const below = (limit: number) => Math.floor(next() * limit);
  for (let round = 0; round < 2000; round++) {
    const countsFrom = (["completion", "previous", "day"] as const)[below(3)] as RequirementTerms["countsFrom"];
    const isFixed = countsFrom === "day";
    const terms: RequirementTerms = {
      countsFrom,
      months: isFixed ? 12 * (1 + below(4)) : monthsOrNone(below(41)),
      fixedDay: isFixed ? { month: 1 + below(12), day: 1 + below(31) } : null,
      skipDays: [0, 30, 90, 365][below(4)] as number,
      windowDays: below(120),
      graceDays: below(40),
    };
    // Around the 29th of February more often than by chance.
    let day = below(4) === 0 ? plusDays("2028-02-29", below(3) - 1) : plusDays("2023-01-01", below(2000));
    const completed = Array.from(
      { length: below(6) },
      () => (day = plusDays(day, below(3) === 0 ? below(40) : below(800))),
    );
    const example = [completed, terms];
    expect([await askDatabase(completed, terms), example]).toEqual([endOf(completed, terms), example]);
  }
});

test("ends are the days that people expect", async () => {
  const fixed = (months: number, more: Partial<RequirementTerms> = {}): RequirementTerms => ({
    ...yearly,
    months,
    countsFrom: "day",
    fixedDay: { month: 3, day: 31 },
    ...more,
  });
  const previous: RequirementTerms = { ...yearly, countsFrom: "previous", windowDays: 60, graceDays: 10 };
  const examples = [
    [["2024-02-29"], yearly, "2025-02-28"],
    [["2026-08-31"], { ...yearly, months: 6 }, "2027-02-28"],
    [["2026-11-29"], { ...yearly, months: null }, null],
    [[], yearly, null],
    // In the window, on its first day, after the end in the grace days, and too early.
    [["2025-06-15", "2026-05-01"], previous, "2027-06-15"],
    [["2025-06-15", "2026-04-16"], previous, "2027-06-15"],
    [["2025-06-15", "2026-06-25"], previous, "2027-06-15"],
    [["2025-06-15", "2026-04-15"], previous, "2027-04-15"],
    [["2025-06-15", "2026-06-26"], previous, "2027-06-26"],
    // A second completion never shortens the validity.
    [["2025-06-15", "2026-05-01", "2026-05-02"], previous, "2027-06-15"],
    [["2026-11-29"], fixed(12), "2027-03-31"],
    [["2026-03-31"], fixed(12), "2027-03-31"],
    [["2027-03-01"], fixed(12, { skipDays: 90 }), "2028-03-31"],
    [["2026-11-29"], fixed(24), "2028-03-31"],
    // Renewed on the opening day, and a day before it.
    [["2026-03-31", "2027-01-30"], fixed(12), "2028-03-31"],
    [["2026-03-31", "2027-01-29"], fixed(12), "2027-03-31"],
    [["2026-11-29"], fixed(12, { fixedDay: { month: 2, day: 29 } }), "2027-02-28"],
    [["2026-11-29"], fixed(24, { fixedDay: { month: 2, day: 29 } }), "2028-02-29"],
  ] as const;
  for (const [completed, terms, end] of examples)
    expect([completed, await askDatabase([...completed], terms)]).toEqual([completed, end]);
});
