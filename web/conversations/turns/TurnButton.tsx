import type { ReactNode } from "react";
import classes from "#web/conversations/transcript.module.css";

type Props = { label: string; onClick: () => void; isPressed?: boolean; children: ReactNode };

export const TurnButton = ({ label, onClick, isPressed, children }: Props) => (
  <button
    type="button"
    className={classes.action}
    aria-label={label}
    title={label}
    aria-pressed={isPressed}
    onClick={onClick}
  >
    {children}
  </button>
);
