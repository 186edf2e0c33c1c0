import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import classes from "#web/variables/statistics/ValuesTab.module.css";

type Props = { values: number[]; range?: [low: number | null, high: number | null]; width?: number; height?: number };

/**
 * A line of numeric values in order, between the bounds of `range` if given, so that the lines of several people can be
 * compared; renders nothing for fewer than two values. Sizes are in px.
 */
export function Trend({ values, range = [null, null], width = 92, height = 22 }: Props) {
  const { t } = useTranslation();
  if (values.length < 2) return null;
  const all = [...values, ...range.filter((value) => value !== null)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const points = values.map((value, index): [number, number] => [
    (index / (values.length - 1)) * width,
    high > low ? height - 3 - ((value - low) / (high - low)) * (height - 6) : height / 2,
  ]);
  const [x, y] = points.at(-1) ?? [0, 0];
  const label = t("variables.page.trend", {
    count: values.length,
    from: formatNumber(values[0] ?? 0, 2),
    to: formatNumber(values.at(-1) ?? 0, 2),
  });
  return (
    <svg
      className={classes.trend}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polyline points={points.map((point) => point.join(",")).join(" ")} />
      <circle cx={x} cy={y} r="3" />
    </svg>
  );
}
