import { Readable } from "node:stream";
import { type Compilable, type Expression, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Pools } from "#server/core/database/pools.ts";
import { xlsxOf } from "#server/core/export/xlsx.ts";
import { Problem } from "#server/core/http/problem.ts";
import { CSV_START, csvRow } from "#shared/core/csv.ts";

/** A file as the reply of a handler, which `mount` streams. */
export class FileAnswer {
  name: string;
  type: string;
  body: Readable;
  /** The number of rows, for the progress that the browser shows. */
  rows: number;

  constructor(name: string, type: string, body: Readable, rows: number) {
    this.name = name;
    this.type = type;
    this.body = body;
    this.rows = rows;
  }
}

/** Rows per round trip. */
const BATCH = 1000;
/** Rows per round trip of `readInOrder`, smaller because each batch is a query with joins. */
const ORDERED_BATCH = 250;
/** Makes PostgreSQL prefer an index in the right order to sorting all ids, unless few rows match. */
const FIRST_FRACTION = 0.01;
/** An export holds a connection and a snapshot; it fails if its reader pauses for this long. */
const MAX_PAUSE = "60s";
/** The most rows of an Excel sheet below the head. */
const MAX_SHEET_ROWS = 1_048_575;
/** Characters per write. */
const CHUNK_CHARS = 64 * 1024;

type Query<Row> = Compilable<Row> & Expression<unknown>;

/** All rows of a query, batch by batch, as of one moment: memory use does not depend on their number. */
export async function* readRows<Row>({ pools }: { pools: Pools }, query: Query<Row>): AsyncGenerator<Row[]> {
  yield* inSnapshot(pools, (tx) => fetchAll(tx, query, { fraction: 1, batch: BATCH }));
}

/**
 * All rows of a list in the order of `ids`, batch by batch, as of one moment. Only ids are read ahead, so the first
 * rows are sent at once, and nothing is joined or sorted for all rows together. `readRowsOf` reads the rows of a batch.
 */
export async function* readInOrder<Row>(
  { pools }: { pools: Pools },
  ids: Query<{ id: number }>,
  readRowsOf: (tx: Tx, ids: number[]) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  yield* inSnapshot(pools, async function* (tx) {
    for await (const batch of fetchAll(tx, ids, { fraction: FIRST_FRACTION, batch: ORDERED_BATCH }))
      if (batch.length > 0)
        yield await readRowsOf(
          tx,
          batch.map(({ id }) => id),
        );
  });
}

/** Reads a query with a cursor; `fraction`: the part of its rows that PostgreSQL plans to return quickly. */
async function* fetchAll<Row>(tx: Tx, query: Query<Row>, { fraction, batch }: { fraction: number; batch: number }) {
  await sql`select set_config('cursor_tuple_fraction', ${String(fraction)}, true)`.execute(tx);
  await sql`declare exported no scroll cursor for ${query}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch forward ${sql.lit(batch)} from exported`.execute(tx);
    yield rows;
    if (rows.length < batch) break;
  }
  await sql`close exported`.execute(tx);
}

/** Reads in a transaction that sees the database as of its beginning. */
async function* inSnapshot<Batch>(pools: Pools, read: (tx: Tx) => AsyncGenerator<Batch>): AsyncGenerator<Batch> {
  const tx = await pools.exports.db
    .startTransaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute();
  try {
    await sql`select set_config('idle_in_transaction_session_timeout', ${MAX_PAUSE}, true)`.execute(tx);
    yield* read(tx);
  } finally {
    await tx.rollback().execute();
  }
}

/** A column of an export: its head, and the cell of a row. */
export type ExportColumn<Row> = [head: string, cellOf: (row: Row) => string | number | null];

/** Rows as a file for spreadsheets. Text is never evaluated as a formula. Throws 422 if a sheet cannot hold them. */
export function exportRows<Row>(
  name: string,
  format: "csv" | "xlsx",
  batches: AsyncIterable<Row[]>,
  columns: ExportColumn<Row>[],
  count: number,
): FileAnswer {
  if (format === "xlsx" && count > MAX_SHEET_ROWS) throw new Problem(422, "core.sheetFull");
  const head = columns.map(([text]) => text);
  const cellsOf = (row: Row) => columns.map(([, cellOf]) => cellOf(row) ?? "");
  if (format === "csv")
    return new FileAnswer(
      `${name}.csv`,
      "text/csv; charset=utf-8",
      Readable.from(inChunks(batches, (row) => csvRow(cellsOf(row)), CSV_START + csvRow(head))),
      count,
    );
  const cells = async function* () {
    yield head;
    for await (const rows of batches) for (const row of rows) yield cellsOf(row);
  };
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  return new FileAnswer(`${name}.xlsx`, type, Readable.from(xlsxOf(cells(), name)), count);
}

/** Rows as JSON Lines: one object per line, without a head. */
export function exportJsonLines<Row extends object>(
  name: string,
  batches: AsyncIterable<Row[]>,
  count: number,
): FileAnswer {
  const lines = inChunks(batches, (row) => `${JSON.stringify(row)}\n`);
  return new FileAnswer(`${name}.jsonl`, "application/jsonl; charset=utf-8", Readable.from(lines), count);
}

/** Joins lines to large chunks, because every chunk is a write to the socket. */
async function* inChunks<Row>(batches: AsyncIterable<Row[]>, lineOf: (row: Row) => string, start = "") {
  let text = start;
  for await (const rows of batches)
    for (const row of rows) {
      text += lineOf(row);
      if (text.length < CHUNK_CHARS) continue;
      yield Buffer.from(text);
      text = "";
    }
  yield Buffer.from(text);
}
