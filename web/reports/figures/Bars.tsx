import { Link } from "react-router";
import classes from "#web/reports/figures/Bars.module.css";

export type Bar = {
  key: string;
  /** Text below the bar; may be empty. */
  label: string;
  value: number;
  /** Name and value of the bar, for tooltip and screen readers. */
  title: string;
  to: string;
};

/** With more bars, values are shown only in their titles. */
const MAX_WITH_VALUES = 14;

/** Counts as columns, each a link to what it counts. */
export function Bars({ bars, label }: { bars: Bar[]; label: string }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const showsValues = bars.length <= MAX_WITH_VALUES;
  return (
    <ol className={classes.bars} aria-label={label} data-dense={!showsValues || undefined}>
      {bars.map(({ key, label: name, value, title, to }) => (
        <li key={key}>
          <Link to={to} className={classes.bar} title={title} aria-label={title} preventScrollReset={false}>
            <span className={classes.value} aria-hidden>
              {showsValues && value > 0 ? value : ""}
            </span>
            <span
              className={classes.column}
              style={{ height: `${(value / highest) * 100}%` }}
              data-empty={value === 0 || undefined}
            />
          </Link>
          <span className={classes.label} aria-hidden>
            {name}
          </span>
        </li>
      ))}
    </ol>
  );
}
