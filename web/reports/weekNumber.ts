const DAY_MS = 86_400_000;

/** The ISO 8601 week of a day (`2026-11-16`): week 1 contains the first Thursday of the year. */
export function weekNumber(day: string) {
  const date = new Date(`${day.slice(0, 10)}T00:00Z`);
  const thursday = date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS;
  const first = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return 1 + Math.floor((thursday - first) / (7 * DAY_MS));
}
