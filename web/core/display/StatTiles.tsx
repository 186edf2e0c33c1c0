import type { ReactNode } from "react";
import { Link } from "react-router";
import classes from "#web/core/display/StatTiles.module.css";

/** Key figures in one ruled strip: four or five `LedgerItem`. */
export const StatTiles = ({ children }: { children: ReactNode }) => <ul className={classes.ledger}>{children}</ul>;

type Props = {
  label: string;
  value: ReactNode;
  /** What the figure is measured against. */
  note?: ReactNode;
  /** Where the rows behind the figure are. */
  to?: string;
  /** Red: only for a figure that calls for action. */
  bad?: boolean;
};

export function StatTile({ label, value, note, to, bad }: Props) {
  const figure = (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.value} data-bad={bad || undefined}>
        {value}
      </span>
      {note && <span className={classes.note}>{note}</span>}
    </>
  );
  return (
    <li className={classes.item}>
      {to ? (
        <Link to={to} className={classes.inner}>
          {figure}
        </Link>
      ) : (
        <div className={classes.inner}>{figure}</div>
      )}
    </li>
  );
}
