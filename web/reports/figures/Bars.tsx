import { useElementSize } from "@mantine/hooks";
import { Link } from "react-router";
import { chooseNames, chooseTexts } from "#web/core/display/barTexts.ts";
import { formatCompact, formatNumber } from "#web/core/format/format.ts";
import classes from "#web/reports/figures/Bars.module.css";

export type Bar = {
  key: string;
  /** Text below the bar, if there is room. */
  label: string;
  value: number;
  /** Name and value of the bar, for tooltip and screen readers. */
  title: string;
  to: string;
  /** The period of the bar is incomplete. */
  isPartial?: boolean;
};

/** Maximum gap between two bars in px, and as a share of the width that a bar has. */
const GAP = { most: 6, share: 0.2 };

/** Counts as columns, each a link to what it counts. Numbers and names that do not fit are left out. */
export function Bars({ bars, label }: { bars: Bar[]; label: string }) {
  const { ref, width } = useElementSize<HTMLOListElement>();
  const values = bars.map(({ value }) => value);
  const highest = Math.max(1, ...values);
  const room = width / bars.length;
  const texts = chooseTexts(values, room, [formatNumber, formatCompact]);
  const names = chooseNames(
    bars.map((bar) => bar.label),
    room,
  );
  const areAllNamed = names.every((name) => name !== "");
  return (
    <ol ref={ref} className={classes.bars} aria-label={label} style={{ gap: Math.min(GAP.most, room * GAP.share) }}>
      {bars.map(({ key, value, title, to, isPartial }, n) => (
        <li key={key}>
          <Link to={to} className={classes.bar} title={title} aria-label={title} preventScrollReset={false}>
            <span className={classes.value} data-text={texts[n]} aria-hidden>
              {texts[n]}
            </span>
            <span
              className={classes.column}
              style={{ "--share": value / highest } as React.CSSProperties}
              data-value={value}
              data-partial={isPartial || undefined}
            />
          </Link>
          <span className={classes.label} data-text={names[n]} data-centred={areAllNamed || undefined} aria-hidden>
            {names[n]}
          </span>
        </li>
      ))}
    </ol>
  );
}
