import { formatPercent } from "#web/core/format/format.ts";
import { roundPercent } from "#shared/core/percent.ts";
import classes from "#web/core/display/Meter.module.css";

type Props = {
  /** 0 to 100; null is shown as a dash. */
  percent: number | null;
  /** Hide the number, if it is shown elsewhere. */
  hideText?: boolean;
  /** Full width instead of 54 px. */
  wide?: boolean;
  label?: string;
};

/** A bar with its percentage. */
export function Meter({ percent, hideText, wide, label }: Props) {
  if (percent === null) return <span className={classes.none}>–</span>;
  const text = formatPercent(percent);
  return (
    <span className={classes.meter} data-wide={wide || undefined}>
      <span
        className={classes.track}
        role="meter"
        aria-valuenow={roundPercent(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={label ?? text}
      >
        <span className={classes.fill} style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
      </span>
      {!hideText && <span className={classes.text}>{text}</span>}
    </span>
  );
}
