const DAY_MS = 86_400_000;

/** Calendar days from today until a day: 0 is today, -5 is five days ago. */
export function daysUntil(day: string, now = new Date()) {
  return Math.round(
    (Date.parse(`${day}T00:00Z`) - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY_MS,
  );
}
