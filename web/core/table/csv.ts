import { call } from "#web/core/api/api.ts";
import { saveBlob } from "#web/core/api/download.ts";
import type { ListContract } from "#web/core/table/table.ts";
import { type CsvCell, CSV_START, csvRow } from "#shared/core/csv.ts";

/** Rows per request: the maximum page size of the list endpoints. */
const PAGE_SIZE = 200;

/** Fetches all rows of a list that match `query`, page by page. For the `onExport` of a `DataTable`. */
export async function fetchAllRows<Row>(
  list: ListContract<Row>,
  query: Record<string, string>,
  params?: Record<string, string>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const reply = await call(list, { ...(params && { params }), query: { ...query, page, size: PAGE_SIZE } });
    rows.push(...reply.items);
    const isLast = !reply.isMore && rows.length >= reply.total;
    if (reply.items.length < PAGE_SIZE || isLast) return rows;
  }
}

/** A column of a CSV file: its head, and the cell of a row. */
export type CsvColumn<Row> = [head: string, cellOf: (row: Row) => CsvCell];

/** Saves rows as a CSV file. */
export function saveCsv<Row>(name: string, rows: Row[], columns: CsvColumn<Row>[]) {
  const head = columns.map(([text]) => text);
  const lines = [head, ...rows.map((row) => columns.map(([, cellOf]) => cellOf(row)))].map(csvRow);
  const fileName = name.endsWith(".csv") ? name : `${name}.csv`;
  saveBlob(new Blob([CSV_START, ...lines], { type: "text/csv" }), fileName);
}
