import { useEffect, useState } from "react";
import { fetchAllRows } from "#web/core/table/csv.ts";
import type { ListContract, Selection } from "#web/core/table/table.ts";

type Options<Row> = {
  list: ListContract<Row>;
  params: Record<string, string> | undefined;
  /** The filter and search of the list, without paging. */
  query: Record<string, string>;
  total: number;
  /** True if the server can act on the filter; otherwise all rows are loaded and selected one by one. */
  byFilter: boolean;
  rowKey: (row: Row) => string;
};

/** The selected rows of a list: some of them, or all that match the filter. A changed filter clears it. */
export function useSelection<Row>({ list, params, query, total, byFilter, rowKey }: Options<Row>) {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const [isAll, setIsAll] = useState(false);
  const [busy, setBusy] = useState(false);
  const key = JSON.stringify(query);
  const select = (next: ReadonlyMap<string, Row>) => {
    setRows(next);
    setIsAll(false);
  };
  const clear = () => select(new Map());
  useEffect(() => {
    setRows(new Map());
    setIsAll(false);
  }, [key]);

  const selectAll = async () => {
    if (byFilter) return setIsAll(true);
    setBusy(true);
    const all = await fetchAllRows(list, query, params).finally(() => setBusy(false));
    select(new Map(all.map((row) => [rowKey(row), row])));
  };
  const { sort: _sort, ...filter } = query;
  const loaded = [...rows.values()];
  const selection: Selection<Row> = isAll
    ? { rows: loaded, count: total, filter }
    : { rows: loaded, count: loaded.length };
  return { rows, select, clear, selectAll, busy, selection, isAll: isAll || (total > 0 && loaded.length === total) };
}
