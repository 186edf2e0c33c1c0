import { call } from "#web/core/api/api.ts";
import type { ListContract, RowOf } from "#web/core/table/table.ts";

type Cell = string | number | boolean | null | undefined;

/** Rows a list export asks for at once: the most a list endpoint gives. */
const BATCH = 200;

/** Every row of a list that matches `query`, page by page. For the `onExport` of a `DataTable`. */
export async function allRows<C extends ListContract>(list: C, query: Record<string, string>): Promise<RowOf<C>[]> {
  const rows: RowOf<C>[] = [];
  for (let page = 1; ; page++) {
    const reply = (await call(list, { query: { ...query, page, size: BATCH } } as never)) as {
      items: RowOf<C>[];
      total: number;
    };
    rows.push(...reply.items);
    if (reply.items.length < BATCH || rows.length >= reply.total) return rows;
  }
}

/** Saves a table as CSV (UTF-8 with mark, so that Excel reads it). Cells that look like formulas are disarmed. */
export function saveCsv(name: string, head: string[], rows: Cell[][]) {
  const text = [head, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: "text/csv" }));
  link.download = name.endsWith(".csv") ? name : `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function quoted(cell: Cell) {
  const text = cell === null || cell === undefined ? "" : String(cell);
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
