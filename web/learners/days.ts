const DAY_MS = 86_400_000;

/** Whole days since a moment; negative before it. */
export const daysSince = (moment: string) => Math.floor((Date.now() - Date.parse(moment)) / DAY_MS);
/** Days until a moment, rounded up; 0 or less if it has passed. */
export const daysUntil = (moment: string) => Math.ceil((Date.parse(moment) - Date.now()) / DAY_MS);
export const isOver = (moment: string) => Date.parse(moment) < Date.now();
/** The moment a number of days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
