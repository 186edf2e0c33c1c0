import { ActionIcon, Checkbox, Menu, Skeleton, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots } from "@tabler/icons-react";
import { Fragment, type MouseEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/DataTable.module.css";
import { RowName } from "#web/core/table/RowName.tsx";
import skeleton from "#web/core/layout/PageSkeleton.module.css";
import { type Column, type RowDisplay, sortName } from "#web/core/table/table.ts";

type Props<Row> = RowDisplay<Row> & {
  rows: Row[] | undefined;
  sort: string;
  onSort: (sort: string) => void;
  /** The default sort belongs to no column: a third click on a header restores it. */
  canReset?: boolean | undefined;
  skeletons: number;
  selected?: ReadonlyMap<string, Row>;
  onSelect?: (selected: ReadonlyMap<string, Row>) => void;
};

/** More columns stand closer together. */
const MANY_COLUMNS = 8;

/** The table for wide screens. */
export function TableGrid<Row>({
  rows,
  sort,
  onSort,
  canReset,
  skeletons,
  selected,
  onSelect,
  ...display
}: Props<Row>) {
  const { t } = useTranslation();
  const { columns, rowKey, name, menu, trouble } = display;
  const shown = rows ?? [];
  const selectedCount = shown.filter((row) => selected?.has(rowKey(row))).length;

  const select = (changed: Row[], isSelected: boolean) => {
    const next = new Map(selected);
    for (const row of changed) {
      if (isSelected) next.set(rowKey(row), row);
      else next.delete(rowKey(row));
    }
    onSelect?.(next);
  };

  return (
    <table
      className={classes.grid}
      data-selectable={onSelect ? true : undefined}
      data-many={columns.length > MANY_COLUMNS || undefined}
    >
      <thead>
        <tr>
          {onSelect && (
            <th className={classes.check}>
              <Checkbox
                aria-label={t("web.table.selectAll")}
                checked={selectedCount > 0 && selectedCount === shown.length}
                indeterminate={selectedCount > 0 && selectedCount < shown.length}
                disabled={rows === undefined}
                onChange={(event) => select(shown, event.currentTarget.checked)}
              />
            </th>
          )}
          {columns.map((column) => (
            <ColumnHeader key={column.key} column={column} sort={sort} onSort={onSort} canReset={canReset} />
          ))}
          {menu && (
            <th className={classes.dots}>
              <span className="ly-hidden">{t("core.actions")}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {!rows && <SkeletonBody columns={columns} rows={skeletons} extra={(onSelect ? 1 : 0) + (menu ? 1 : 0)} />}
        {shown.map((row) => (
          <Fragment key={rowKey(row)}>
            <tr data-selected={selected?.has(rowKey(row)) || undefined}>
              {onSelect && (
                <td className={classes.check}>
                  <Checkbox
                    aria-label={t("web.table.selectRow", { name: name(row) })}
                    checked={selected?.has(rowKey(row)) ?? false}
                    onChange={(event) => select([row], event.currentTarget.checked)}
                  />
                </td>
              )}
              {columns.map((column, index) => (
                <td key={column.key} {...cell(column)} onMouseEnter={showFullText}>
                  {index === 0 ? (
                    <RowName {...display} row={row}>
                      {column.render?.(row)}
                    </RowName>
                  ) : (
                    column.render?.(row)
                  )}
                </td>
              ))}
              {menu && (
                <td className={classes.dots}>
                  <RowMenu name={name(row)}>{menu(row)}</RowMenu>
                </td>
              )}
            </tr>
            <TroubleRow columns={columns.length + (menu ? 1 : 0)} before={onSelect ? 1 : 0}>
              {trouble?.(row)}
            </TroubleRow>
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** The panel of problems below a row, whose bottom border it takes over. */
const TroubleRow = ({ columns, before, children }: { columns: number; before: number; children: ReactNode }) =>
  children ? (
    <tr className={classes.trouble}>
      {before > 0 && <td />}
      <td colSpan={columns}>{children}</td>
    </tr>
  ) : null;

const cell = <Row,>({ align, minor }: Column<Row>) => ({
  "data-align": align,
  className: minor ? classes[minor === "narrow" ? "narrow" : "minor"] : undefined,
});

type HeaderProps<Row> = {
  column: Column<Row>;
  sort: string;
  onSort: (sort: string) => void;
  canReset: boolean | undefined;
};

function sortOrder(name: string | null, sort: string) {
  if (!name) return undefined;
  if (sort === name) return "ascending";
  return sort === `-${name}` ? "descending" : undefined;
}

function ColumnHeader<Row>({ column, sort, onSort, canReset }: HeaderProps<Row>) {
  const { t } = useTranslation();
  const name = sortName(column);
  const order = sortOrder(name, sort);
  const Arrow = order === "descending" ? IconArrowDown : IconArrowUp;
  const [first, second] = column.descendingFirst ? [`-${name}`, `${name}`] : [`${name}`, `-${name}`];
  let next = first;
  if (sort === first) next = second;
  else if (sort === second && canReset) next = "";
  return (
    <th scope="col" {...cell(column)} aria-sort={name ? (order ?? "none") : undefined} style={{ width: column.width }}>
      {name ? (
        <UnstyledButton className={classes.sort} data-order={order} onClick={() => onSort(next)}>
          {column.head}
          <Arrow size={15} stroke={1.8} aria-hidden />
        </UnstyledButton>
      ) : (
        column.head || <span className="ly-hidden">{t("core.actions")}</span>
      )}
    </th>
  );
}

/** Shows truncated text in full as the browser's tooltip. */
const showFullText = ({ currentTarget: element }: MouseEvent<HTMLElement>) => {
  element.title = element.scrollWidth > element.clientWidth ? element.textContent : "";
};

export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={30} aria-label={t("web.table.rowMenu", { name })} title={t("web.table.rowMenu", { name })}>
          <IconDots size={18} stroke={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

function SkeletonBody<Row>({ columns, rows, extra }: { columns: Column<Row>[]; rows: number; extra: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} className={skeleton.rows} aria-hidden>
      {Array.from({ length: extra > 0 ? 1 : 0 }, (_, index) => (
        <td key={index} />
      ))}
      {columns.map((column, index) => (
        <td key={column.key} {...cell(column)}>
          <Skeleton
            height={12}
            radius="xl"
            width={index === 0 ? `${[58, 42, 50, 36][row % 4]}%` : 48}
            ml={column.align ? "auto" : undefined}
          />
        </td>
      ))}
      {extra > 1 && <td />}
    </tr>
  ));
}
