import { Tooltip } from "@mantine/core";
import { useTimes } from "#web/core/format/TimeZone.tsx";
import { formatAgo } from "#web/core/format/format.ts";

/**
 * A time: relative within a day, otherwise the date, with the exact time in the tooltip; `focusable`: also by keyboard.
 * Null is shown as a dash.
 */
export function Time({ at, focusable = false }: { at: string | null; focusable?: boolean }) {
  const times = useTimes();
  if (!at) return <span>–</span>;
  return (
    <Tooltip label={times.dateTime(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} {...(focusable && { tabIndex: 0 })}>
        {formatAgo(at)}
      </time>
    </Tooltip>
  );
}
