import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import classes from "#web/core/table/DataTable.module.css";
import type { RowDisplay } from "#web/core/table/table.ts";

type Props<Row> = Pick<RowDisplay<Row>, "name" | "to" | "onOpen" | "mark" | "badge" | "note"> & {
  row: Row;
  children?: ReactNode;
};

/** The first cell of a row: symbol, name as a link with an optional line below it, and badge. */
export function RowName<Row>({ row, name, to, onOpen, mark, badge, note, children }: Props<Row>) {
  const link = (
    <NameLink row={row} name={name} to={to} onOpen={onOpen}>
      {children}
    </NameLink>
  );
  return (
    <span className={classes.name}>
      {mark?.(row)}
      {note ? (
        <span className={classes.lines}>
          {link}
          <span className={classes.note}>{note(row)}</span>
        </span>
      ) : (
        link
      )}
      {badge?.(row)}
    </span>
  );
}

export function NameLink<Row>({ row, name, to, onOpen, children }: Omit<Props<Row>, "mark" | "badge" | "note">) {
  const content = children || name(row);
  const target = to?.(row);
  if (target)
    return (
      <Link to={target} className={classes.link} data-row-name>
        {content}
      </Link>
    );
  if (onOpen)
    return (
      <UnstyledButton className={classes.link} data-row-name onClick={() => onOpen(row)}>
        {content}
      </UnstyledButton>
    );
  return <span className={classes.plain}>{content}</span>;
}
