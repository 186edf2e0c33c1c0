import type { ReactNode } from "react";
import classes from "#web/reports/Legend.module.css";

type Props = { items: { color: string; label: string }[]; children?: ReactNode };

/** The legend of a chart, shown to the right of its title. */
export const Legend = ({ items, children }: Props) => (
  <span className={classes.legend}>
    {items.map(({ color, label }) => (
      <span key={label}>
        <i style={{ background: color }} />
        {label}
      </span>
    ))}
    {children}
  </span>
);
