import type { ReactNode } from "react";
import classes from "#web/core/display/WideContent.module.css";

/** Content that may be wider than its place, such as a table with many columns. It scrolls, also by keyboard. */
export const WideContent = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.wide} tabIndex={0} role="group" aria-label={label}>
    {children}
  </div>
);
