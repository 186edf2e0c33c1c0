import type { ReactNode } from "react";
import classes from "#web/core/brand/art.module.css";

type Props = {
  title: string;
  /** What will appear here and why it is useful. */
  text?: ReactNode;
  /** The first thing to do. */
  action?: ReactNode;
  /** Small print below the action, such as limits. */
  hint?: ReactNode;
  /** An h1 for pages such as not found; by default the title is plain text. */
  heading?: ReactNode;
};

/** An empty list or page: line art, title, text and action. */
export function EmptyState({ title, text, action, hint, heading }: Props) {
  return (
    <div className={classes.empty}>
      <svg
        viewBox="0 0 260 128"
        width="260"
        height="128"
        fill="none"
        strokeWidth="1.5"
        strokeLinecap="round"
        aria-hidden
      >
        <g stroke="#A8B4B1" strokeDasharray="2 5">
          <path d="M15 16h230M9 24h242" />
          {[22, 68, 160, 206].map((x) => (
            <path key={x} d={`M${x} 110V52a16 16 0 0 1 32 0v58`} />
          ))}
        </g>
        <path stroke="var(--ly-field)" d="M5 110h250" />
        <path stroke="var(--ly-link)" d="M114 110V52a16 16 0 0 1 32 0v58l10 10h-52z" />
        <circle cx="130" cy="72" r="7" fill="#F2B72E" />
      </svg>
      {heading ?? <p className={classes.emptyTitle}>{title}</p>}
      {text && <p className={classes.emptyText}>{text}</p>}
      {action && <div className={classes.emptyAction}>{action}</div>}
      {hint && <p className={classes.emptyHint}>{hint}</p>}
    </div>
  );
}
