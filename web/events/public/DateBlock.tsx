import { datePartsIn } from "#web/core/format/format.ts";
import classes from "#web/events/public/DateBlock.module.css";

type Props = {
  at: string;
  zone: string;
  /** Always shows the year. */
  year?: boolean;
};

/** The day as a large number with its month. */
export function DateBlock({ at, zone, year }: Props) {
  const { day, month, year: inYear, isThisYear } = datePartsIn(at, zone);
  return (
    <time dateTime={at} className={classes.date}>
      <span className={classes.day}>{day}</span>
      <span className={classes.month}>{year || !isThisYear ? `${month} ${inYear}` : month}</span>
    </time>
  );
}
