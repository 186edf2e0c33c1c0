import type { TFunction } from "i18next";
import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { formatDate, formatPercent } from "#web/core/format/format.ts";
import classes from "#web/variables/variables.module.css";
import { barText, valueText } from "#web/variables/valueText.ts";
import type { Variable } from "#shared/variables/variables.ts";

/** The distribution of a variable's values for a table row, with its most important figure. */
export function DistributionBars({ variable }: { variable: Variable }) {
  const { t } = useTranslation();
  const { distribution, subjects, type } = variable;
  if (distribution === null)
    return (
      <span className={classes.note}>
        <IconLock size={16} stroke={1.7} aria-hidden /> {t("variables.sensitiveNotCharted")}
      </span>
    );
  if (subjects === 0) return <span className={classes.note}>{t("variables.noValues")}</span>;
  const { bars } = distribution;
  const figure = figureOf(variable, t);
  if (bars.length === 0) return <span className={classes.note}>{figure}</span>;
  return (
    <span className={classes.spread}>
      {type === "boolean" ? <Split bars={bars} /> : <Bars bars={bars} />}
      <span className={classes.note}>{figure}</span>
    </span>
  );
}

type Bars = { label: string; count: number }[];

function Bars({ bars }: { bars: Bars }) {
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <span className={classes.bars} aria-hidden>
      {bars.map(({ label, count }) => (
        <span key={label} style={{ height: `${(count / highest) * 100}%` }} data-value={count} />
      ))}
    </span>
  );
}

/** Booleans as shares of one bar. */
function Split({ bars }: { bars: Bars }) {
  const yes = bars.find(({ label }) => label === "true")?.count ?? 0;
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  return (
    <span className={classes.split} aria-hidden>
      <span style={{ width: `${total > 0 ? (yes / total) * 100 : 0}%` }} />
    </span>
  );
}

function figureOf(variable: Variable, t: TFunction) {
  const { type, median, top, distribution, subjects } = variable;
  if (median !== null) return t("variables.median", { value: valueText(Number(median.toFixed(1)), variable, t) });
  const latest = distribution?.bars.at(-1);
  if (type === "date" && latest) return t("variables.latest", { day: formatDate(latest.label) });
  if (top) return t("variables.top", { label: barText(top.label, variable, t), share: formatPercent(top.share * 100) });
  return t("variables.count", { count: subjects });
}
