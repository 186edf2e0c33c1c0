import { UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import classes from "#web/core/table/DataTable.module.css";
import type { RowDisplay } from "#web/core/table/table.ts";

type Props<Row> = Pick<RowDisplay<Row>, "name" | "to" | "onOpen" | "mark" | "after"> & {
  row: Row;
  children?: ReactNode;
};

/** Mark, name as link, and the pill behind it: the first cell of a row. */
export function RowName<Row>({ row, name, to, onOpen, mark, after, children }: Props<Row>) {
  return (
    <span className={classes.name}>
      {mark?.(row)}
      <NameLink row={row} name={name} to={to} onOpen={onOpen}>
        {children}
      </NameLink>
      {after?.(row)}
    </span>
  );
}

export function NameLink<Row>({ row, name, to, onOpen, children }: Omit<Props<Row>, "mark" | "after">) {
  const words = children ?? name(row);
  if (to)
    return (
      <Link to={to(row)} className={classes.link}>
        {words}
      </Link>
    );
  if (onOpen)
    return (
      <UnstyledButton className={classes.link} onClick={() => onOpen(row)}>
        {words}
      </UnstyledButton>
    );
  return <span className={classes.plain}>{words}</span>;
}
