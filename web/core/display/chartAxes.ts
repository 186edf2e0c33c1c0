import { formatCompact } from "#web/core/format/format.ts";

// The axes of charts over time

/** An axis of counts, as wide as its longest number. */
export const countAxis = { allowDecimals: false, width: "auto", tickFormatter: formatCompact } as const;
/** An axis of days or weeks, with as many labels as fit, evenly spaced and always including the last. */
export const timeAxis = { interval: "equidistantPreserveEnd", minTickGap: 20 } as const;
/** Space next to the numbers, and for half of the last label below. */
export const chartMargin = { left: 8, right: 24, top: 8 } as const;
