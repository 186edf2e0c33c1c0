import type { ReplayValue } from "#shared/reports/replays.ts";

const PER_PAGE = 200;

/** Reads all rows of a paged list. */
export async function readAllPages<Row>(
  read: (query: { page: number; size: number }) => Promise<{ items: Row[]; total: number }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await read({ page, size: PER_PAGE });
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

/** Reads all values of a list with a cursor. */
export async function readAllValues(
  read: (query: { after: number }) => Promise<{ values: ReplayValue[]; next: number | null }>,
): Promise<ReplayValue[]> {
  const all: ReplayValue[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Awaited<ReturnType<typeof read>> = await read({ after });
    all.push(...page.values);
    after = page.next;
  }
  return all;
}
