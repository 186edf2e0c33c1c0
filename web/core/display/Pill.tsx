import type { ReactNode } from "react";
import classes from "#web/core/display/status.module.css";
import type { Tone } from "#web/core/display/StatusDot.tsx";

/** A tinted label, for exceptions only ("Overdue 5 days", "Suspended"). */
export const Pill = ({ tone = "idle", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) => (
  <span className={classes.pill} data-tone={tone}>
    {icon}
    {children}
  </span>
);
