import { ActionIcon, Checkbox, Menu, Skeleton, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconDots } from "@tabler/icons-react";
import type { MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/DataTable.module.css";
import { RowName } from "#web/core/table/RowName.tsx";
import skeleton from "#web/core/layout/PageSkeleton.module.css";
import { type Column, type RowDisplay, sortName } from "#web/core/table/table.ts";

type Props<Row> = RowDisplay<Row> & {
  rows: Row[] | undefined;
  sort: string;
  onSort: (sort: string) => void;
  /** The order that the list starts with belongs to no column: a third press on a head brings it back. */
  resets?: boolean | undefined;
  skeletons: number;
  selected?: ReadonlyMap<string, Row>;
  onSelect?: (selected: ReadonlyMap<string, Row>) => void;
};

/** The table proper, for wide screens. */
export function TableGrid<Row>({ rows, sort, onSort, resets, skeletons, selected, onSelect, ...look }: Props<Row>) {
  const { t } = useTranslation();
  const { columns, rowKey, name, menu } = look;
  const shown = rows ?? [];
  const marked = shown.filter((row) => selected?.has(rowKey(row))).length;

  const select = (picked: Row[], on: boolean) => {
    const next = new Map(selected);
    for (const row of picked) {
      if (on) next.set(rowKey(row), row);
      else next.delete(rowKey(row));
    }
    onSelect?.(next);
  };

  return (
    <table className={classes.grid} data-selectable={onSelect ? true : undefined}>
      <thead>
        <tr>
          {onSelect && (
            <th className={classes.check}>
              <Checkbox
                aria-label={t("web.table.selectAll")}
                checked={marked > 0 && marked === shown.length}
                indeterminate={marked > 0 && marked < shown.length}
                onChange={(event) => select(shown, event.currentTarget.checked)}
              />
            </th>
          )}
          {columns.map((column) => (
            <Head key={column.key} column={column} sort={sort} onSort={onSort} resets={resets} />
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
          <tr key={rowKey(row)} data-selected={selected?.has(rowKey(row)) || undefined}>
            {onSelect && (
              <td className={classes.check}>
                <Checkbox
                  aria-label={t("web.table.selectRow", { name: name(row) })}
                  checked={selected?.has(rowKey(row)) ?? false}
                  onChange={(event) => select([row], event.currentTarget.checked)}
                />
              </td>
            )}
            {columns.map((column, at) => (
              <td key={column.key} {...cell(column)} onMouseEnter={tellWhole}>
                {at === 0 ? (
                  <RowName {...look} row={row}>
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
        ))}
      </tbody>
    </table>
  );
}

const cell = <Row,>({ align, minor }: Column<Row>) => ({
  "data-align": align,
  className: minor ? classes.minor : undefined,
});

type HeadProps<Row> = {
  column: Column<Row>;
  sort: string;
  onSort: (sort: string) => void;
  resets: boolean | undefined;
};

function Head<Row>({ column, sort, onSort, resets }: HeadProps<Row>) {
  const name = sortName(column);
  const order = name && sort === name ? "ascending" : name && sort === `-${name}` ? "descending" : undefined;
  const Arrow = order === "descending" ? IconArrowDown : IconArrowUp;
  const [first, second] = column.down ? [`-${name}`, `${name}`] : [`${name}`, `-${name}`];
  const next = sort === first ? second : sort === second && resets ? "" : first;
  return (
    <th scope="col" {...cell(column)} aria-sort={name ? (order ?? "none") : undefined} style={{ width: column.width }}>
      {name ? (
        <UnstyledButton className={classes.sort} data-order={order} onClick={() => onSort(next)}>
          {column.head}
          <Arrow size={15} stroke={1.8} aria-hidden />
        </UnstyledButton>
      ) : (
        column.head
      )}
    </th>
  );
}

/** What is cut off is said in full by the tooltip of the browser. */
const tellWhole = ({ currentTarget: place }: MouseEvent<HTMLElement>) => {
  place.title = place.scrollWidth > place.clientWidth ? place.textContent : "";
};

export function RowMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size={30} aria-label={t("web.table.rowMenu", { name })}>
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
      {Array.from({ length: extra > 0 ? 1 : 0 }, (_, at) => (
        <td key={at} />
      ))}
      {columns.map((column, at) => (
        <td key={column.key} {...cell(column)}>
          <Skeleton
            height={12}
            radius="xl"
            width={at === 0 ? `${[58, 42, 50, 36][row % 4]}%` : 48}
            ml={column.align ? "auto" : undefined}
          />
        </td>
      ))}
      {extra > 1 && <td />}
    </tr>
  ));
}
