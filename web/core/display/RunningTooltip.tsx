import { ChartTooltip } from "@mantine/charts";
import type { ReactNode } from "react";
import { shownInTooltip } from "#web/core/display/runningSeries.ts";

type Series = { name: string; label: string; color: string };
type Item = { name?: unknown; value?: unknown; color?: string | undefined };
type Props = {
  payload: readonly Item[] | undefined;
  /** The series that are drawn; `complete` are those of them that are drawn to the last complete period. */
  series: Series[];
  complete: Series[];
  label: ReactNode;
  valueFormatter: (value: number) => string;
};

/** The values of a chart at one period, each once. */
export function RunningTooltip({ payload = [], series, complete, label, valueFormatter }: Props) {
  const items = shownInTooltip(payload).map((item) => ({
    ...item,
    color: complete.find(({ name }) => String(item.name).startsWith(name))?.color ?? item.color,
  }));
  return <ChartTooltip label={label} payload={items} series={series} valueFormatter={valueFormatter} />;
}
