import { createContext, useContext } from "react";
import { formatDateTime, formatDateTimeIn, formatTime, formatTimeIn } from "#web/core/format/format.ts";

/** The time zone of the times in a part of a page, such as a report; null: that of the browser. */
export const TimeZone = createContext<string | null>(null);

/** Formats times in the zone of the surrounding part of the page. */
export function useTimes() {
  const zone = useContext(TimeZone);
  return zone
    ? {
        dateTime: (when: string) => formatDateTimeIn(when, zone),
        time: (when: string) => formatTimeIn(when, zone),
      }
    : { dateTime: (when: string) => formatDateTime(when), time: (when: string) => formatTime(when) };
}
