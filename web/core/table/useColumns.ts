import { useRemembered } from "#web/core/session/rememberedState.ts";
import type { Column } from "#web/core/table/table.ts";

export type ColumnChoice = { all: { key: string; head: string }[]; hidden: string[]; toggle: (key: string) => void };

/** Which columns of a list are shown, kept per browser. The first one always is. */
export function useColumns<Row>(list: string, columns: Column<Row>[]) {
  const [hidden, setHidden] = useRemembered<string[]>(`columns:${list}`, []);
  return {
    shown: columns.filter(({ key }, at) => at === 0 || !hidden.includes(key)),
    all: columns.slice(1).map(({ key, head }) => ({ key, head })),
    hidden,
    toggle: (key: string) => setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]),
  };
}
