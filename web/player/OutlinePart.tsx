import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/player/Outline.module.css";
import type { AttemptState, Part } from "#shared/player/player.ts";

type Props = {
  part: Part;
  state: AttemptState["parts"][number]["state"];
  isCurrent: boolean;
  /** Cannot be opened now; `reason` says why. */
  isClosed?: boolean;
  reason?: ReactNode;
  onOpen: (sco: string) => void;
};

/** A part in the table of contents, with its column. */
export function OutlinePart({ part, state, isCurrent, isClosed = false, reason, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={classes.part}
      data-state={state}
      aria-current={isCurrent ? "step" : undefined}
      aria-disabled={isClosed || undefined}
      style={{ paddingInlineStart: 10 + part.depth * 14 }}
      onClick={() => !isClosed && onOpen(part.sco)}
    >
      <span className={classes.column} aria-hidden />
      <span className={classes.name}>
        {part.title}
        {reason && <span className={classes.reason}>{reason}</span>}
      </span>
      <span className={classes.state}>
        {state === "done" && <IconCheck size={16} stroke={1.8} aria-hidden />}
        {part.href !== null && <span className={classes.hidden}>{t(`player.part.${state}`)}</span>}
      </span>
    </button>
  );
}
