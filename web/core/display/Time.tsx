import { Tooltip } from "@mantine/core";
import { formatAgo, formatDateTime } from "#web/core/format/format.ts";

/** A time: relative within a day, otherwise the date, with the exact time in the tooltip. Null is shown as a dash. */
export function Time({ at }: { at: string | null }) {
  if (!at) return <span>–</span>;
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at}>{formatAgo(at)}</time>
    </Tooltip>
  );
}
