import { useTranslation } from "react-i18next";
import { formatPercent, share } from "#web/core/format/format.ts";
import classes from "#web/core/display/Colonnade.module.css";
import { Meter } from "#web/core/display/Meter.tsx";

/** More columns than this are a wall: a meter takes over. */
const MOST = 24;

type Props = {
  total: number;
  done: number;
  /** Number of the column that is "you are here", from 1. */
  current?: number | null;
  /** sm: cards and tables; md: the one large card; fill: as wide as there is room. */
  size?: "sm" | "md" | "fill";
  /** What a screen reader hears instead of "3 of 8 parts done". */
  label?: string;
};

/** Progress as a row of columns: done, you are here, to do. */
export function Colonnade({ total, done, current, size = "sm", label }: Props) {
  const { t } = useTranslation();
  const said = label ?? t("web.progress.parts", { count: total, done });
  if (total > MOST)
    return (
      <Meter
        percent={share(done, total)}
        label={label ?? t("web.progress.percent", { percent: formatPercent(share(done, total)) })}
      />
    );
  const state = (n: number) =>
    n === current ? "current" : n <= done || (current && n <= done + 1 && n > current) ? "done" : "todo";
  return (
    <span className={classes.colonnade} data-size={size} role="img" aria-label={said}>
      {Array.from({ length: total }, (_, at) => (
        <span key={at} data-state={state(at + 1)} />
      ))}
    </span>
  );
}
