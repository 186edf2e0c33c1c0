import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import classes from "#web/variables/statistics/ValuesTab.module.css";

/** A line of numeric values in order; renders nothing for fewer than two. Sizes are in px. */
export function Trend({ values, width = 92, height = 22 }: { values: number[]; width?: number; height?: number }) {
  const { t } = useTranslation();
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
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
