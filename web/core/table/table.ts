import type { ReactNode } from "react";
import type { Contract, Reply } from "#shared/route.ts";

/** A contract whose reply is `{ items, total }`. */
export type ListContract = Contract & { reply: { _zod: { output: { items: unknown[]; total: number } } } };
export type RowOf<C extends ListContract> = Reply<C> extends { items: (infer R)[] } ? R : never;

export type Column<Row> = {
  key: string;
  head: string;
  /** The cell. The first column may leave it out: it shows the row's name. */
  render?: (row: Row) => ReactNode;
  /** `right` for numbers. */
  align?: "right";
  /** True when the server sorts by `key`; a string when it calls it otherwise. */
  sort?: boolean | string;
  /** First click sorts down: for numbers and dates. */
  down?: boolean;
  /** Goes first when there is little room (table below 900 px). */
  minor?: boolean;
  width?: number;
};

export type Filter = { key: string; label: string; options: { value: string; label: string }[] };

/** What a row shows on a phone: two lines, something at the right of each, and a pill below. */
export type PhoneRow = { line?: ReactNode; side?: ReactNode; sideLine?: ReactNode; extra?: ReactNode };

/** Looks of one row, the same in table and phone list. */
export type RowDisplay<Row> = {
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** Plain name of a row: the link, and what screen readers hear beside checkbox and menu. */
  name: (row: Row) => string;
  /** Where the name leads; or `onOpen` for a dialog. */
  to?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  /** Circle, square or cover before the name. */
  mark?: (row: Row) => ReactNode;
  /** A pill behind the name: exceptions only. */
  after?: (row: Row) => ReactNode;
  /** `Menu.Item`s of the row menu. */
  menu?: (row: Row) => ReactNode;
  phone?: (row: Row) => PhoneRow;
};

export const sortName = <Row>({ key, sort }: Column<Row>) => (sort === true ? key : sort || null);
