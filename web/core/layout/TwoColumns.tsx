import type { ReactNode } from "react";
import classes from "#web/core/layout/Section.module.css";

/** Main column and a 348 px aside; below 1184 px the aside follows the main column. */
export function TwoColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className={classes.split}>
      <div>{children}</div>
      <aside>{aside}</aside>
    </div>
  );
}
