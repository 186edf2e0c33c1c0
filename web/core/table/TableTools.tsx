import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { IconColumns3, IconDownload, IconListCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/DataTable.module.css";
import { MoreFilters } from "#web/core/filter/MoreFilters.tsx";
import { FilterInput } from "#web/core/filter/FilterInput.tsx";
import { FilterSheet } from "#web/core/table/FilterSheet.tsx";
import type { useListState } from "#web/core/table/useListState.ts";
import { SavedViews } from "#web/core/views/SavedViews.tsx";
import { SearchBox } from "#web/core/filter/SearchBox.tsx";
import type { Filter } from "#web/core/filter/filter.ts";
import type { Column } from "#web/core/table/table.ts";
import type { ColumnChoice } from "#web/core/table/useColumns.ts";

type Export = (onProgress: (percent: number) => void) => void | Promise<void>;

type Props = ReturnType<typeof useListState> & {
  search: string | undefined;
  filters: Filter[];
  sorts: Column<never>[];
  defaultSort?: { value: string; label: string };
  total: number | undefined;
  columns: ColumnChoice;
  isPhone: boolean;
  /** On a phone, whether rows are selected instead of opened. */
  isSelecting?: boolean;
  onToggleSelecting?: () => void;
  tools: ReactNode;
  hasViews: boolean;
  onExport: Export | undefined;
};

/** The row above a list: search and filters, at the right columns and export. */
export function TableTools({
  state,
  change,
  clear,
  search,
  filters,
  sorts,
  defaultSort,
  total,
  columns,
  isPhone,
  isSelecting,
  onToggleSelecting,
  tools,
  hasViews,
  onExport,
}: Props) {
  const { t } = useTranslation();
  const searchBox = search && <SearchBox label={search} value={state.q} onChange={(q) => change({ q })} />;
  if (isPhone) {
    return (
      <div className={classes.tools}>
        {searchBox}
        {onToggleSelecting && (
          <ActionIcon
            variant={isSelecting ? "filled" : "default"}
            aria-pressed={isSelecting ?? false}
            aria-label={t("web.table.selectRows")}
            title={t("web.table.selectRows")}
            onClick={onToggleSelecting}
          >
            <IconListCheck size={18} stroke={1.7} />
          </ActionIcon>
        )}
        <FilterSheet
          filters={filters}
          sorts={sorts}
          {...(defaultSort && { defaultSort })}
          state={state}
          change={change}
          clear={clear}
          total={total}
        >
          {(tools || hasViews) && (
            <>
              {tools}
              {hasViews && <SavedViews />}
            </>
          )}
        </FilterSheet>
      </div>
    );
  }
  if (!search && filters.length === 0 && !onExport && !tools) return null;
  const renderFilter = (filter: Filter, open?: { isOpen: boolean; onClose: () => void }) => (
    <FilterInput
      key={filter.key}
      filter={filter}
      value={state.filters[filter.key] ?? ""}
      onChange={(value) => change({ filters: { [filter.key]: value } })}
      {...open}
    />
  );
  return (
    <div className={classes.tools}>
      {searchBox}
      {filters.filter(({ isRare }) => !isRare).map((filter) => renderFilter(filter))}
      <MoreFilters
        filters={filters
          .filter(({ isRare }) => isRare)
          .map((filter) => ({
            ...filter,
            isSet: Boolean(state.filters[filter.key]),
            render: (open) => renderFilter(filter, open),
          }))}
      />
      <div className={classes.right}>
        {tools}
        {hasViews && <SavedViews />}
        {columns.all.length > 2 && <ColumnsMenu {...columns} />}
        {onExport && <ExportButton onExport={onExport} />}
      </div>
    </div>
  );
}

function ColumnsMenu({ all, hidden, toggle }: ColumnChoice) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={200}>
      <Tooltip label={t("web.table.columns")}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label={t("web.table.columns")}>
            <IconColumns3 size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {all.map(({ key, head }) => (
          <Menu.CheckboxItem key={key} checked={!hidden.includes(key)} onChange={() => toggle(key)}>
            {head}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the percentage of rows that have arrived; before the first one, a spinner. */
function ExportButton({ onExport }: { onExport: Export }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [percent, setPercent] = useState<number | null>(null);
  const run = async () => {
    setBusy(true);
    await Promise.resolve(onExport(setPercent)).finally(() => {
      setBusy(false);
      setPercent(null);
    });
  };
  return (
    <Tooltip label={t("web.table.export")}>
      <ActionIcon
        variant="default"
        loading={busy && percent === null}
        aria-label={t("web.table.export")}
        aria-disabled={busy}
        onClick={() => !busy && void run()}
      >
        {percent === null ? (
          <IconDownload size={18} stroke={1.6} />
        ) : (
          <span className={classes.percent}>{percent}%</span>
        )}
      </ActionIcon>
    </Tooltip>
  );
}

type SelectionProps = {
  count: number;
  total: number;
  /** Every row of the list is selected, on this page and all others. */
  isAll: boolean;
  /** Every row of this page is selected. */
  canSelectAll: boolean;
  busy: boolean;
  onSelectAll: () => void;
  onClear: () => void;
  children: ReactNode;
};

/** Replaces the filter row while rows are selected, so that the layout does not shift. */
export function SelectionBar({
  count,
  total,
  isAll,
  canSelectAll,
  busy,
  onSelectAll,
  onClear,
  children,
}: SelectionProps) {
  const { t } = useTranslation();
  const text = isAll ? t("web.table.allSelected", { count: total }) : t("web.table.selected", { count, total });
  return (
    <div className={classes.tools} role="group" aria-label={text}>
      <strong className={classes.selected} role="status">
        {text}
      </strong>
      {canSelectAll && !isAll && (
        <Button variant="subtle" px={10} loading={busy} onClick={onSelectAll}>
          {t("web.table.selectEverything", { count: total })}
        </Button>
      )}
      {children}
      <Button variant="subtle" className={classes.right} onClick={onClear}>
        {t("web.table.clearSelection")}
      </Button>
    </div>
  );
}
