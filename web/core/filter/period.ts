/** Two calendar days, both included. */
export type Period = { from: string; to: string };
export type PeriodPreset = { days: number; label: string };
