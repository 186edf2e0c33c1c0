import { formatDateIn } from "#web/core/format/format.ts";

/** The last day of a zone on which something works that ends at this instant. */
export const lastDayOf = (until: string, zone: string) => formatDateIn(new Date(Date.parse(until) - 1), zone);
