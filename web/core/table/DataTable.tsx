import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { pagedQueryFor } from "#web/core/api/api.ts";
import classes from "#web/core/table/DataTable.module.css";
import { EmptyState } from "#web/core/layout/EmptyState.tsx";
import { ErrorPanel } from "#web/core/layout/ErrorPanel.tsx";
import { SkeletonRows } from "#web/core/layout/PageSkeleton.tsx";
import { useListState } from "#web/core/table/useListState.ts";
import { type Filter, filterQuery } from "#web/core/filter/filter.ts";
import type { ListContract, RowDisplay, Selection } from "#web/core/table/table.ts";
import { TableFooter } from "#web/core/table/TableFooter.tsx";
import { TableGrid } from "#web/core/table/TableGrid.tsx";
import { PhoneList } from "#web/core/table/PhoneList.tsx";
import { SelectionBar, TableTools } from "#web/core/table/TableTools.tsx";
import { useSelection } from "#web/core/table/useSelection.ts";
import { useColumns } from "#web/core/table/useColumns.ts";
import { useIsPhone } from "#web/core/display/useIsPhone.ts";

type Props<Row> = RowDisplay<Row> & {
  /** A list contract, such as `companies.list`. */
  list: ListContract<Row>;
  /** Fixed query fields, such as `{ companyId }`. */
  query?: Record<string, string | undefined>;
  /** Path parameters of the contract. */
  params?: Record<string, string>;
  /** Label of the search box; without it there is none. */
  search?: string;
  filters?: Filter[];
  /** Default sort of the contract. */
  sort?: string;
  /** Label of the default sort on a phone, if it belongs to no column. */
  sortLabel?: string;
  size?: number;
  /** Buttons for the selected rows; enables the checkboxes. */
  actions?: (selection: Selection<Row>, clear: () => void) => ReactNode;
  /**
   * "Select all" selects the filter instead of loading every row: for actions that send `selection.filter` to the
   * server.
   */
  selectsByFilter?: boolean;
  /** Enables the export button; gets the query without page and size, and shows the percentage that it is given. */
  onExport?: (query: Record<string, string>, onProgress: (percent: number) => void) => void | Promise<void>;
  /** Shown while there are no rows at all. */
  empty: { title: string; text?: ReactNode; action?: ReactNode; hint?: ReactNode };
  /** Appended to the count: "1 to 25 of 340 companies". */
  noun?: string;
  /** Prefix of the URL parameters, if a page has two lists. */
  prefix?: string;
  /** Further controls in the filter row, before columns and export. */
  tools?: ReactNode;
  /** Offers the saved views of the page. */
  hasViews?: boolean;
};

/**
 * A list with search, filters, sorting and paging (stored in the URL), selection, row menus, and its loading, empty and
 * error states.
 */
export function DataTable<Row>(props: Props<Row>) {
  const {
    list,
    query,
    params,
    filters: menuFilters = [],
    sort,
    sortLabel,
    size,
    prefix,
    search,
    actions,
    selectsByFilter = false,
    onExport,
    empty,
    noun,
    tools,
    hasViews = false,
    ...display
  } = props;
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const textFilters = display.columns.filter(({ filter }) => filter).map(({ key, head }) => ({ key, label: head }));
  const filters: Filter[] = [...menuFilters, ...textFilters];
  const listState = useListState({
    filters: filters.map(({ key }) => key),
    ...(sort && { sort }),
    ...(size && { size }),
    ...(prefix && { prefix }),
  });
  const { state, change, clear, filtered } = listState;
  const [isSelecting, setSelecting] = useState(false);
  const columns = useColumns(`${list.path}${prefix ?? ""}`, display.columns);

  const listQuery = { ...query, q: state.q, ...filterQuery(filters, state.filters), sort: state.sort };
  const sent = { ...(params && { params }), query: { ...listQuery, page: state.page, size: state.size } };
  const { data, error, refetch, isPlaceholderData, isFetching } = useQuery(pagedQueryFor(list, sent));
  const rows = data?.items;
  const total = data?.total ?? 0;

  const lastPage = Math.max(1, Math.ceil(total / state.size));
  useEffect(() => {
    if (data && !isPlaceholderData && state.page > lastPage) change({ page: lastPage });
  }, [data, isPlaceholderData, state.page, lastPage, change]);
  const { rows: selected, ...selecting } = useSelection({
    list,
    params,
    query: withoutEmpty(listQuery),
    total,
    byFilter: selectsByFilter,
    rowKey: display.rowKey,
  });

  const renderBody = () => {
    if (error && !rows)
      return <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />;
    if (rows && total === 0 && filtered) return <NoMatches onClear={clear} />;
    if (rows && total === 0)
      return (
        <div className={classes.empty}>
          <EmptyState {...empty} />
        </div>
      );
    const shared = { ...display, columns: columns.shown, rows };
    const selection = actions && { selected, onSelect: selecting.select };
    if (isPhone)
      return rows ? <PhoneList {...shared} rows={rows} {...(isSelecting && selection)} /> : <SkeletonRows rows={8} />;
    return (
      <TableGrid
        {...shared}
        sort={state.sort}
        onSort={(next) => change({ sort: next || (sort ?? "") })}
        canReset={Boolean(sortLabel)}
        skeletons={Math.min(state.size, 8)}
        {...selection}
      />
    );
  };

  return (
    <div className={classes.table} aria-busy={isFetching}>
      {actions && selected.size > 0 ? (
        <SelectionBar
          count={selecting.selection.count}
          total={total}
          isAll={selecting.isAll}
          canSelectAll={rows?.every((row) => selected.has(display.rowKey(row))) ?? false}
          busy={selecting.busy}
          onSelectAll={() => void selecting.selectAll()}
          onClear={selecting.clear}
        >
          {actions(selecting.selection, selecting.clear)}
        </SelectionBar>
      ) : (
        <TableTools
          {...listState}
          search={search}
          filters={filters}
          total={data && total}
          columns={columns}
          isPhone={isPhone}
          {...(actions && { isSelecting, onToggleSelecting: () => setSelecting(!isSelecting) })}
          tools={tools}
          hasViews={hasViews}
          sorts={display.columns}
          {...(sort && sortLabel && { defaultSort: { value: sort, label: sortLabel } })}
          onExport={onExport && ((onProgress) => onExport(withoutEmpty(listQuery), onProgress))}
        />
      )}
      <div className={classes.body} data-stale={isPlaceholderData || undefined}>
        {renderBody()}
      </div>
      {error && rows && <ErrorPanel error={error} title={t("web.table.loadFailed")} onRetry={() => void refetch()} />}
      {rows && total > 0 && (
        <TableFooter
          page={state.page}
          size={state.size}
          total={total}
          isMore={data.isMore}
          noun={noun}
          onChange={change}
        />
      )}
      <p role="status" className="ly-hidden">
        {rows && t("web.table.count", { count: total })}
      </p>
    </div>
  );
}

const withoutEmpty = (query: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])));

function NoMatches({ onClear }: { onClear: () => void }) {
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
