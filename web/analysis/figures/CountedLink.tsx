import type { ReactNode } from "react";
import { Link } from "react-router";
import { Pill } from "#web/core/display/Pill.tsx";
import classes from "#web/analysis/analysis.module.css";
import { useCountedLink } from "#web/analysis/figures/useCountedLink.ts";

type Props = {
  by: Parameters<ReturnType<typeof useCountedLink>>[0];
  label?: string;
  isWarning?: boolean;
  children: ReactNode;
};

/** A figure that links to its conversations. `label` names the figure. */
export function CountedLink({ by, label, isWarning = false, children }: Props) {
  const linkTo = useCountedLink();
  return (
    <Link to={linkTo(by)} className={classes.counted} aria-label={label}>
      {isWarning ? <Pill tone="warn">{children}</Pill> : children}
    </Link>
  );
}
