import { Tooltip } from "@mantine/core";
import { formatAgo, formatDateTime } from "#web/core/format/format.ts";

/** A moment: relative under a day, then the date; the exact time is in the tooltip. Null is a dash. */
export function Time({ at }: { at: string | null }) {
  if (!at) return <span>–</span>;
  return (
    <Tooltip label={formatDateTime(at)}>
      <time dateTime={at}>{formatAgo(at)}</time>
    </Tooltip>
  );
}
