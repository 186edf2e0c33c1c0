const DAY_MS = 86_400_000;

/** Calendar days from today to a day: 0 today, -5 five days ago. */
export function daysUntil(day: string, now = new Date()) {
  return Math.round(
    (Date.parse(`${day}T00:00Z`) - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY_MS,
  );
}
