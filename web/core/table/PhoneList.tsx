import { Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "#web/core/table/PhoneList.module.css";
import { NameLink } from "#web/core/table/RowName.tsx";
import type { RowDisplay } from "#web/core/table/table.ts";
import { RowMenu } from "#web/core/table/TableGrid.tsx";

type Props<Row> = RowDisplay<Row> & {
  rows: Row[];
  selected?: ReadonlyMap<string, Row>;
  onSelect?: (selected: ReadonlyMap<string, Row>) => void;
};

/** The rows of a list on a phone: two lines each. The whole row is the link or, with `onSelect`, selects it. */
export function PhoneList<Row>({
  rows,
  rowKey,
  name,
  to,
  onOpen,
  mark,
  badge,
  menu,
  phone,
  trouble,
  columns,
  selected,
  onSelect,
}: Props<Row>) {
  const { t } = useTranslation();
  const toggle = (row: Row) => {
    const next = new Map(selected);
    if (!next.delete(rowKey(row))) next.set(rowKey(row), row);
    onSelect?.(next);
  };
  return (
    <ul className={classes.phone}>
      {rows.map((row) => {
        const { line, side, sideLine, extra } = phone?.(row) ?? { line: columns[1]?.render?.(row) };
        const pill = extra ?? badge?.(row);
        const problem = trouble?.(row);
        return (
          // A click or the space bar on the checkbox is a click on the row, too.
          <li key={rowKey(row)} className={classes.phoneRow} {...(onSelect && { onClick: () => toggle(row) })}>
            {onSelect && (
              <Checkbox
                className={classes.phoneCheck}
                size="sm"
                aria-label={t("web.table.selectRow", { name: name(row) })}
                checked={selected?.has(rowKey(row)) ?? false}
                readOnly
              />
            )}
            {!onSelect && mark?.(row)}
            <div className={classes.phoneWords}>
              <NameLink row={row} name={name} {...(!onSelect && { ...(to && { to }), ...(onOpen && { onOpen }) })}>
                {!to && !onOpen && columns[0]?.render?.(row)}
              </NameLink>
              {line && <div className={classes.dim}>{line}</div>}
              {pill && <div>{pill}</div>}
            </div>
            {(side || sideLine) && (
              <div className={classes.phoneSide}>
                <div className={classes.phoneFigure}>{side}</div>
                <div className={classes.dim}>{sideLine}</div>
              </div>
            )}
            {menu && !onSelect && (
              <div className={classes.phoneMenu}>
                <RowMenu name={name(row)}>{menu(row)}</RowMenu>
              </div>
            )}
            {problem && <div className={classes.phoneTrouble}>{problem}</div>}
          </li>
        );
      })}
    </ul>
  );
}
