import { useElementSize } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { chooseNames, chooseTexts } from "#web/core/display/barTexts.ts";
import { formatCompact, formatNumber } from "#web/core/format/format.ts";
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
    <figure style={{ margin: 0 }} aria-label={t("variables.page.distribution")}>
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

/** Maximum distance between the two columns of a pair, in px. */
const PAIR = 24;

function Histogram({ bars, hasFirst }: { bars: Bar[]; hasFirst: boolean }) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize<HTMLOListElement>();
  const series = hasFirst ? (["count", "first"] as const) : (["count"] as const);
  const values = bars.flatMap((bar) => series.map((name) => bar[name]));
  const highest = Math.max(1, ...values);
  const room = width / bars.length;
  const texts = chooseTexts(values, hasFirst ? Math.min(PAIR, room / 2) : room, [formatNumber, formatCompact]);
  const names = chooseNames(
    bars.map(({ text }) => text),
    room,
  );
  const areAllNamed = names.every((name) => name !== "");
  return (
    <ol ref={ref} className={classes.chart}>
      {bars.map(({ label, text, ...counts }, n) => {
        const title = t("variables.page.bar", { label: text, count: counts.count });
        return (
          <li key={label} className={classes.bar} title={title} aria-label={title}>
            {series.map((name, i) => (
              <span key={name} className={classes.column}>
                <span className={classes.count} data-text={texts[n * series.length + i]} aria-hidden>
                  {texts[n * series.length + i]}
                </span>
                <i
                  style={{ "--share": counts[name] / highest } as React.CSSProperties}
                  data-value={counts[name]}
                  data-first={name === "first" || undefined}
                />
              </span>
            ))}
            <span className={classes.barLabel} data-text={names[n]} data-centred={areAllNamed || undefined} aria-hidden>
              {names[n]}
            </span>
          </li>
        );
      })}
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
      <i style={{ width: `${share * 100}%` }} data-value={count} />
    </dd>
    <dd className="ly-numbers">{formatNumber(count)}</dd>
  </>
);
