import classes from "#web/core/display/DayMark.module.css";
import { formatMonth } from "#web/core/format/format.ts";

/** A calendar day as a block: its number above its month. */
export const DayMark = ({ day }: { day: string }) => (
  <time dateTime={day} className={classes.day}>
    <span>{day.slice(8)}</span>
    {formatMonth(day)}
  </time>
);
