import { usePersistedState } from "#web/core/session/persistedState.ts";
import type { Column } from "#web/core/table/table.ts";

export type ColumnChoice = { all: { key: string; head: string }[]; hidden: string[]; toggle: (key: string) => void };

/**
 * The visible columns of a list, stored per browser as those that differ from the default. The first column is always
 * visible.
 */
export function useColumns<Row>(list: string, columns: Column<Row>[]) {
  const [changed, setChanged] = usePersistedState<string[]>(`columns:${list}`, []);
  const hidden = columns
    .filter(({ key, isOptional = false }) => changed.includes(key) !== isOptional)
    .map(({ key }) => key);
  return {
    shown: columns.filter(({ key }, index) => index === 0 || !hidden.includes(key)),
    all: columns.slice(1).map(({ key, head }) => ({ key, head })),
    hidden,
    toggle: (key: string) =>
      setChanged(changed.includes(key) ? changed.filter((other) => other !== key) : [...changed, key]),
  };
}
