import type { ReactNode } from "react";
import classes from "#web/core/layout/Section.module.css";

/** A main column and an aside of 348 px, which is below the main column on screens narrower than 1184 px. */
export function TwoColumns({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className={classes.split}>
      <div>{children}</div>
      <aside>{aside}</aside>
    </div>
  );
}
