import type { ReactNode } from "react";
import classes from "#web/core/display/status.module.css";

export type Tone = "ok" | "warn" | "bad" | "info" | "idle" | "active";

/** A coloured dot with a label. ok: published, passed; active: in progress; idle: draft, stopped. */
export const StatusDot = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.status}>
    <span className={classes.dot} data-tone={tone} />
    {children}
  </span>
);
