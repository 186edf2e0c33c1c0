import type { ReactNode } from "react";
import type { Contract } from "#shared/core/route.ts";
import type { z } from "zod";

/** A contract whose reply is `{ items, total }`. */
export type ListContract<Row> = Omit<Contract, "reply"> & {
  reply: z.ZodType<{ items: Row[]; total: number; isMore?: boolean }>;
};

export type Column<Row> = {
  key: string;
  head: string;
  /** Renders the cell. Optional for the first column, which shows the row's name. */
  render?: (row: Row) => ReactNode;
  /** `right` for numbers. */
  align?: "right";
  /** True if the server can sort by `key`; a string if its sort key has another name. */
  sort?: boolean | string;
  /** Adds a filter for the text of the column, sent as the query field `key`. */
  filter?: true;
  /** The first click sorts in descending order, for numbers and dates. */
  descendingFirst?: boolean;
  /** Hidden when space is limited: in a table narrower than 1000 px, or with `narrow` than 800 px. */
  minor?: boolean | "narrow";
  /** Hidden until the person chooses it. */
  isOptional?: boolean;
  width?: number;
};

/**
 * Selected rows. With `filter`, all rows of the list that match it are selected, and `rows` are those selected one by
 * one before.
 */
export type Selection<Row> = { rows: Row[]; count: number; filter?: Record<string, string> };

/** A row on a phone: the line below the name, a value at the right of each line, and a pill below. */
export type PhoneRow = { line?: ReactNode; side?: ReactNode; sideLine?: ReactNode; extra?: ReactNode };

/** How rows are displayed, in the table and the phone list. */
export type RowDisplay<Row> = {
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** Name of the row as plain text: the link, and the label of checkbox and menu. */
  name: (row: Row) => string;
  /** Link of the name, null for a row without a page; use `onOpen` for a dialog. */
  to?: (row: Row) => string | null;
  onOpen?: (row: Row) => void;
  /** Symbol before the name: `PersonMark`, `CompanyMark` or `Cover`. */
  mark?: (row: Row) => ReactNode;
  /** A second line below the name in the table, such as a key. */
  note?: (row: Row) => ReactNode;
  /** A pill after the name, for exceptions only. */
  badge?: (row: Row) => ReactNode;
  /** Items of the row menu (`Menu.Item`). */
  menu?: (row: Row) => ReactNode;
  /** Problems of a row and what to do, in a panel below it; null if there are none. */
  trouble?: (row: Row) => ReactNode;
  phone?: (row: Row) => PhoneRow;
};

export const sortName = <Row>({ key, sort }: Column<Row>) => (sort === true ? key : sort || null);
