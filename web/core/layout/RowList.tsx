import type { ReactNode } from "react";
import classes from "#web/core/layout/RowList.module.css";

/** A short list of things of a section; longer ones are tables. */
export const RowList = ({ children }: { children: ReactNode }) => <ul className={classes.rows}>{children}</ul>;

type Props = { name: string; pill?: ReactNode; line: ReactNode; children?: ReactNode };

/** One thing with a line about it; `children` are at the end of the row, such as its menu. */
export const Row = ({ name, pill, line, children }: Props) => (
  <li className={classes.row}>
    <div className={classes.words}>
      <span className={classes.name}>
        {name}
        {pill}
      </span>
      <span className={classes.line}>{line}</span>
    </div>
    {children}
  </li>
);
