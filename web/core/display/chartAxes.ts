import { formatCompact } from "#web/core/format/format.ts";

// The axes of charts over time

/** Counts; as wide as its longest number. */
export const countAxis = { allowDecimals: false, width: "auto", tickFormatter: formatCompact } as const;
/** Days or weeks, as many as have room, at equal distances; always the last. */
export const timeAxis = { interval: "equidistantPreserveEnd", minTickGap: 20 } as const;
/** Room for the space beside the numbers, and for half of the last name below. */
export const chartMargin = { left: 8, right: 24, top: 8 } as const;
