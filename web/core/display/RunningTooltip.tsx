import { ChartTooltip } from "@mantine/charts";
import type { ReactNode } from "react";
import { shownInTooltip } from "#web/core/display/runningSeries.ts";

type Series = { name: string; label: string; color: string };
type Item = { name?: unknown; value?: unknown; color?: string | undefined };
type Props = {
  payload: readonly Item[] | undefined;
  /** All series of the chart; `complete` are those up to the last complete period. */
  series: Series[];
  complete: Series[];
  label: ReactNode;
  valueFormatter: (value: number) => string;
};

/** The values of a chart in one period, each once. */
export function RunningTooltip({ payload = [], series, complete, label, valueFormatter }: Props) {
  const items = shownInTooltip(payload).map((item) => ({
    ...item,
    color: complete.find(({ name }) => String(item.name).startsWith(name))?.color ?? item.color,
  }));
  return <ChartTooltip label={label} payload={items} series={series} valueFormatter={valueFormatter} />;
}
