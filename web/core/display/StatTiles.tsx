import { Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import classes from "#web/core/display/StatTiles.module.css";

/** A row of four or five key figures (`StatTile`). */
export const StatTiles = ({ children }: { children: ReactNode }) => <ul className={classes.tiles}>{children}</ul>;

type Props = {
  label: string;
  value: ReactNode;
  /** What the figure is compared with. */
  note?: ReactNode;
  /** Link to the rows that the figure counts. */
  to?: string;
  /** Red, for figures that need action. */
  bad?: boolean;
  /** How the figure is counted; shown when it is hovered or focused. */
  definition?: string;
};

export function StatTile({ label, value, note, to, bad, definition }: Props) {
  const figure = (
    <>
      <span className={classes.label}>{label}</span>
      <span className={classes.value} data-bad={bad || undefined}>
        {value}
      </span>
      {note && <span className={classes.note}>{note}</span>}
    </>
  );
  const content = to ? (
    <Link to={to} className={classes.inner}>
      {figure}
    </Link>
  ) : (
    <div className={classes.inner} tabIndex={definition ? 0 : undefined}>
      {figure}
    </div>
  );
  return (
    <li className={classes.item}>
      {definition ? (
        <Tooltip label={definition} multiline maw={300} events={{ hover: true, focus: true, touch: true }}>
          {content}
        </Tooltip>
      ) : (
        content
      )}
    </li>
  );
}
