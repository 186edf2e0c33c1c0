import { useTranslation } from "react-i18next";
import { formatNumber } from "#web/core/format/format.ts";
import { barText } from "#web/variables/valueText.ts";
import classes from "#web/variables/statistics/ValuesTab.module.css";
import type { Variable } from "#shared/variables/variables.ts";
import type { VariableStatistics } from "#shared/variables/variableFigures.ts";

type Props = { variable: Variable; statistics: VariableStatistics };
type Bar = { label: string; text: string; count: number; first: number };

/** A histogram for numbers and dates, with the first values in grey next to the latest; bars by name for options. */
export function DistributionChart({ variable, statistics }: Props) {
  const { t } = useTranslation();
  const { current, first } = statistics;
  if (!current) return null;
  const firstCounts = new Map(first?.bars.map(({ label, count }) => [label, count]));
  const bars = current.bars.map(({ label, count }) => ({
    label,
    text: barText(label, variable, t),
    count,
    first: firstCounts.get(label) ?? 0,
  }));
  const isScale = ["number", "duration", "date"].includes(variable.type);
  const hasFirst = first !== null && first.bars.length === bars.length && isScale;
  return (
    <figure style={{ margin: 0 }}>
      {hasFirst && (
        <div className={classes.legend}>
          <span>{t("variables.page.current")}</span>
          <span data-first>{t("variables.page.first")}</span>
        </div>
      )}
      {isScale ? <Histogram bars={bars} hasFirst={hasFirst} /> : <Options bars={bars} />}
      {current.others > 0 && <figcaption>{t("variables.page.others", { count: current.others })}</figcaption>}
    </figure>
  );
}

function Histogram({ bars, hasFirst }: { bars: Bar[]; hasFirst: boolean }) {
  const { t } = useTranslation();
  const highest = Math.max(1, ...bars.flatMap(({ count, first }) => (hasFirst ? [count, first] : [count])));
  const height = (count: number) => `${(count / highest) * 88}%`;
  return (
    <ol className={classes.chart}>
      {bars.map(({ label, text, count, first }) => (
        <li key={label} className={classes.bar} aria-label={t("variables.page.bar", { label: text, count })}>
          <i style={{ height: height(count) }} />
          {hasFirst && <i data-first style={{ height: height(first) }} />}
          {count > 0 && (
            <span
              className={classes.count}
              style={{ bottom: height(Math.max(count, hasFirst ? first : 0)) }}
              aria-hidden
            >
              {formatNumber(count)}
            </span>
          )}
          <span className={classes.barLabel} aria-hidden>
            {text}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Options({ bars }: { bars: Bar[] }) {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <dl className={classes.options}>
      {bars.map(({ label, text, count }) => (
        <Option key={label} text={text} count={count} share={count / highest} />
      ))}
    </dl>
  );
}
const Option = ({ text, count, share }: { text: string; count: number; share: number }) => (
  <>
    <dt>{text}</dt>
    <dd className={classes.track} aria-hidden>
      <i style={{ width: `${share * 100}%` }} />
    </dd>
    <dd className="ly-numbers">{formatNumber(count)}</dd>
  </>
);
