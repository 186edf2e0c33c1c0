import { useTranslation } from "react-i18next";
import { lazyDialog } from "#web/core/dialog/lazyDialog.tsx";
import { FilterChip } from "#web/core/filter/FilterChip.tsx";
import { formatDate } from "#web/core/format/format.ts";
import type { Period, PeriodPreset } from "#web/core/filter/period.ts";
import { formatPeriod } from "#web/core/filter/formatPeriod.ts";

const PeriodPanel = lazyDialog(() => import("#web/core/filter/PeriodPanel.tsx").then(({ PeriodPanel }) => PeriodPanel));

type Props = Period & {
  presets: PeriodPreset[];
  /** The number of days of the preset that is shown; null for other periods. */
  preset: number | null;
  onPreset: (days: number) => void;
  onChange: (period: Period) => void;
  /** Returns to the default period; undefined while it is shown. */
  onClear?: (() => void) | undefined;
};

/** The period of figures, both days included: a preset, or any two days. */
export function PeriodFilter({ from, to, onClear, ...panel }: Props) {
  const { t } = useTranslation();
  return (
    <FilterChip
      label={t("web.table.period")}
      chosen={t("web.time.span", { from: formatDate(from), to: formatDate(to) })}
      text={formatPeriod(from, to)}
      onClear={onClear}
      preload={PeriodPanel.preload}
    >
      {(close) => <PeriodPanel from={from} to={to} {...panel} onClose={close} />}
    </FilterChip>
  );
}
