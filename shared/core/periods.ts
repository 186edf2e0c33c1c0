/**
 * The lengths of periods, in days, that pages offer: whole weeks, so that a period has the same weekdays as the one
 * before it, with which it is compared.
 */
export const dashboardPeriods = [7, 28, 91] as const;
export const reportPeriods = [28, 91, 364] as const;
export const analyticsPeriods = [7, 28, 91, 364] as const;

/** The period that a page shows unless its address names one. */
export const defaultPeriods = { dashboard: 28, report: 91, analytics: 28 } as const;
