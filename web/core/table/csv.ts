import { call } from "#web/core/api/api.ts";
import { saveBlob } from "#web/core/api/download.ts";
import type { ListContract, RowOf } from "#web/core/table/table.ts";

type Cell = string | number | boolean | null | undefined;

/** Rows per request: the maximum page size of the list endpoints. */
const PAGE_SIZE = 200;

/** Fetches all rows of a list that match `query`, page by page. For the `onExport` of a `DataTable`. */
export async function fetchAllRows<C extends ListContract>(
  list: C,
  query: Record<string, string>,
): Promise<RowOf<C>[]> {
  const rows: RowOf<C>[] = [];
  for (let page = 1; ; page++) {
    const reply = (await call(list, { query: { ...query, page, size: PAGE_SIZE } } as never)) as {
      items: RowOf<C>[];
      total: number;
    };
    rows.push(...reply.items);
    if (reply.items.length < PAGE_SIZE || rows.length >= reply.total) return rows;
  }
}

/** Saves a table as CSV (UTF-8 with byte order mark, for Excel). Cells that look like formulas are escaped. */
export function saveCsv(name: string, head: string[], rows: Cell[][]) {
  const text = [head, ...rows].map((row) => row.map(toCsvCell).join(",")).join("\r\n");
  const blob = new Blob([`\uFEFF${text}\r\n`], { type: "text/csv" });
  saveBlob(blob, name.endsWith(".csv") ? name : `${name}.csv`);
}

function toCsvCell(cell: Cell) {
  const text = cell === null || cell === undefined ? "" : String(cell);
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
