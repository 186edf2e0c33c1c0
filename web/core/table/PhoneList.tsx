import classes from "#web/core/table/PhoneList.module.css";
import { NameLink } from "#web/core/table/RowName.tsx";
import type { RowDisplay } from "#web/core/table/table.ts";
import { RowMenu } from "#web/core/table/TableGrid.tsx";

/** The rows of a list on a phone: two lines each; the whole row is the link. */
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
}: RowDisplay<Row> & { rows: Row[] }) {
  return (
    <ul className={classes.phone}>
      {rows.map((row) => {
        const { line, side, sideLine, extra } = phone?.(row) ?? { line: columns[1]?.render?.(row) };
        const pill = extra ?? badge?.(row);
        const problem = trouble?.(row);
        return (
          <li key={rowKey(row)} className={classes.phoneRow}>
            {mark?.(row)}
            <div className={classes.phoneWords}>
              <NameLink row={row} name={name} {...(to && { to })} {...(onOpen && { onOpen })}>
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
            {menu && (
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
