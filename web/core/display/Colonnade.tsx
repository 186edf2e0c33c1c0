import { useTranslation } from "react-i18next";
import { formatPercent } from "#web/core/format/format.ts";
import classes from "#web/core/display/Colonnade.module.css";
import { Meter } from "#web/core/display/Meter.tsx";
import { shareOf } from "#shared/core/percent.ts";

/** Above this number a meter is shown instead. */
const MAX_COLUMNS = 24;

type Props = {
  total: number;
  done: number;
  /** Number of the current column, from 1. */
  current?: number | null;
  /** sm: cards and tables; md: the large card; fill: full width. */
  size?: "sm" | "md" | "fill";
  /** Text for screen readers instead of "3 of 8 parts done". */
  label?: string;
};

/** Progress as a row of columns: done, current, to do. */
export function Colonnade({ total, done, current, size = "sm", label }: Props) {
  const { t } = useTranslation();
  const accessibleLabel = label ?? t("web.progress.parts", { count: total, done });
  if (total > MAX_COLUMNS)
    return (
      <Meter
        percent={shareOf(done, total)}
        label={label ?? t("web.progress.percent", { percent: formatPercent(shareOf(done, total)) })}
      />
    );
  const stateOf = (column: number) => {
    if (column === current) return "current";
    // The current column does not count as done, so done columns after it are shifted by one
    const isDone = column <= done || (current && column <= done + 1 && column > current);
    return isDone ? "done" : "todo";
  };
  return (
    <span className={classes.colonnade} data-size={size} role="img" aria-label={accessibleLabel}>
      {Array.from({ length: total }, (_, index) => (
        <span key={index} data-state={stateOf(index + 1)} />
      ))}
    </span>
  );
}
