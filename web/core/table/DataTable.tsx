import { Button } from "@mantine/core";
import { useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import classes from "#web/core/table/DataTable.module.css";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { useListState } from "#web/core/table/listState.ts";
import type { Filter, ListContract, RowDisplay, RowOf } from "#web/core/table/table.ts";
import { TableFoot } from "#web/core/table/TableFoot.tsx";
import { TableGrid } from "#web/core/table/TableGrid.tsx";
import { TablePhone } from "#web/core/table/TablePhone.tsx";
import { SelectionBar, TableTools } from "#web/core/table/TableTools.tsx";
import { useColumns } from "#web/core/table/useColumns.ts";
import { usePhone } from "#web/core/layout/usePhone.ts";

type Props<C extends ListContract> = RowDisplay<RowOf<C>> & {
  /** A list contract, such as `companies.list`. */
  list: C;
  /** Query fields that are fixed here, such as `{ companyId }`. */
  query?: Record<string, string | undefined>;
  /** What stands for `:id` and others in the address of the list. */
  params?: Record<string, string>;
  /** Placeholder of the search box; without it there is none. */
  search?: string;
  filters?: Filter[];
  /** The sort the contract starts with. */
  sort?: string;
  /** Names that sort on a phone when it is none of a column's. */
  sortLabel?: string;
  size?: number;
  /** Buttons for the selected rows; with it rows have checkboxes. */
  actions?: (rows: RowOf<C>[], clear: () => void) => ReactNode;
  /** The export button; gets the query without page and size. */
  onExport?: (query: Record<string, string>) => void | Promise<void>;
  /** What stands there before the first row exists. */
  empty: { title: string; text?: ReactNode; action?: ReactNode; hint?: ReactNode };
  /** Follows the count: "1 to 25 of 340 companies". */
  noun?: string;
  /** Put before the address keys when a page has two lists. */
  prefix?: string;
  /** Anything else in the filter row, before columns and export. */
  tools?: ReactNode;
};

type PageQuery<Row> = UseQueryOptions<{ items: Row[]; total: number }>;

/** The list of the house: search, filters, sort and page in the address, selection, row menus, phone rows, every state. */
export function DataTable<C extends ListContract>(props: Props<C>) {
  type Row = RowOf<C>;
  const {
    list,
    query,
    params,
    filters = [],
    sort,
    sortLabel,
    size,
    prefix,
    search,
    actions,
    onExport,
    empty,
    noun,
    tools,
    ...look
  } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const address = useListState({
    filters: filters.map(({ key }) => key),
    ...(sort && { sort }),
    ...(size && { size }),
    ...(prefix && { prefix }),
  });
  const { state, change, clear, filtered } = address;
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const columns = useColumns(`${list.path}${prefix ?? ""}`, look.columns);

  const narrowed = { ...query, q: state.q, ...state.filters, sort: state.sort };
  const sent = { ...(params && { params }), query: { ...narrowed, page: state.page, size: state.size } };
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(
    pagedQueryFor(list, sent as never) as PageQuery<Row>,
  );
  const rows = data?.items;
  const total = data?.total ?? 0;

  const lastPage = Math.max(1, Math.ceil(total / state.size));
  useEffect(() => {
    if (data && !isPlaceholderData && state.page > lastPage) change({ page: lastPage });
  }, [data, isPlaceholderData, state.page, lastPage, change]);
  const clearSelection = () => setSelected(new Map());
  const narrowing = JSON.stringify(narrowed);
  useEffect(() => setSelected(new Map()), [narrowing]);

  const body = () => {
    if (error && !rows)
      return <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />;
    if (rows && total === 0)
      return filtered ? (
        <NoMatch onClear={clear} />
      ) : (
        <div className={classes.empty}>
          <EmptyState {...empty} />
        </div>
      );
    const shared = { ...look, columns: columns.shown, rows };
    if (phone) return rows ? <TablePhone {...shared} rows={rows} /> : <SkeletonRows rows={8} />;
    return (
      <TableGrid
        {...shared}
        sort={state.sort}
        onSort={(next) => change({ sort: next || (sort ?? "") })}
        resets={Boolean(sortLabel)}
        skeletons={Math.min(state.size, 8)}
        {...(actions && { selected, onSelect: setSelected })}
      />
    );
  };

  return (
    <div className={classes.table} aria-busy={isFetching}>
      {actions && selected.size > 0 ? (
        <SelectionBar count={selected.size} total={total} onClear={clearSelection}>
          {actions([...selected.values()], clearSelection)}
        </SelectionBar>
      ) : (
        <TableTools
          {...address}
          search={search}
          filters={filters}
          total={data && total}
          columns={columns}
          phone={phone}
          tools={tools}
          sorts={look.columns}
          {...(sort && sortLabel && { firstOrder: { value: sort, label: sortLabel } })}
          onExport={onExport && (() => onExport(withoutEmpty(narrowed)))}
        />
      )}
      <div className={classes.body} data-stale={isPlaceholderData || undefined}>
        {body()}
      </div>
      {error && rows && <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />}
      {rows && total > 0 && (
        <TableFoot page={state.page} size={state.size} total={total} noun={noun} onChange={change} />
      )}
      <p role="status" className="ly-hidden">
        {rows && t("web.table.count", { count: total })}
      </p>
    </div>
  );
}

const withoutEmpty = (query: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])));

function NoMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.nothing}>
      {t("web.table.noMatches")}{" "}
      <Button variant="subtle" onClick={onClear}>
        {t("web.table.clearFilters")}
      </Button>
    </div>
  );
}
