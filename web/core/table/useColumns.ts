import { usePersistedState } from "#web/core/session/persistedState.ts";
import type { Column } from "#web/core/table/table.ts";

export type ColumnChoice = { all: { key: string; head: string }[]; hidden: string[]; toggle: (key: string) => void };

/** The visible columns of a list, stored per browser. The first column is always visible. */
export function useColumns<Row>(list: string, columns: Column<Row>[]) {
  const [hidden, setHidden] = usePersistedState<string[]>(`columns:${list}`, []);
  return {
    shown: columns.filter(({ key }, index) => index === 0 || !hidden.includes(key)),
    all: columns.slice(1).map(({ key, head }) => ({ key, head })),
    hidden,
    toggle: (key: string) =>
      setHidden(hidden.includes(key) ? hidden.filter((hiddenKey) => hiddenKey !== key) : [...hidden, key]),
  };
}
