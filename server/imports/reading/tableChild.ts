import "#server/core/outgoing/withoutNetwork.ts";
import { readFile } from "node:fs/promises";
import { isCompoundFile, isEncryptedOffice } from "#server/core/archives.ts";
import { columnOf } from "#server/core/export/xlsx.ts";
import { decodeFile } from "#server/imports/reading/decodeFile.ts";
import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";
import { type CsvRecord, detectDelimiter, readRecords } from "#server/imports/reading/readCsv.ts";
import type { TableMessage, TableRow } from "#server/imports/reading/readTable.ts";
import { IMPORT_MAX_CELL, IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS } from "#shared/imports/imports.ts";

// The process that reads a file, so that a hostile file can crash the parser, but not the server.

/** Rows per message; the next ones are sent when the parent has stored them. */
const BATCH = 1000;

const send = (message: TableMessage) =>
  new Promise<void>((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });
const answered = () => new Promise<void>((resolve) => process.once("message", () => resolve()));

async function open(bytes: Uint8Array) {
  if (bytes.length === 0) throw new UnreadableFile("empty");
  const workbook = await import("#server/imports/reading/readXlsx.ts");
  if (isCompoundFile(bytes)) throw new UnreadableFile(isEncryptedOffice(bytes) ? "encrypted" : "oldFormat");
  if (workbook.isZip(bytes))
    return { format: "xlsx" as const, delimiter: null, encoding: null, records: await workbook.readXlsx(bytes) };
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-") throw new UnreadableFile("unknownFormat");
  const { text, encoding } = decodeFile(bytes);
  const delimiter = detectDelimiter(text);
  return { format: "csv" as const, delimiter, encoding, records: readRecords(text, delimiter) };
}

/** Text that PostgreSQL can store, cut one character above the limit, so that the check still finds it too long. */
const clean = (cell: string) =>
  cell
    .slice(0, IMPORT_MAX_CELL + 1)
    .toWellFormed()
    .replaceAll("\u0000", "\ufffd")
    .trim();

/** The cells without empty ones at the end; at most two more than the head, enough to show that there are too many. */
function trimRow({ number, cells }: CsvRecord, width: number): TableRow {
  const cleaned = cells.slice(0, width + 2).map(clean);
  while (cleaned.length > width && cleaned.at(-1) === "") cleaned.pop();
  return { number, cells: cleaned };
}

async function read(path: string) {
  const { records, ...format } = await open(new Uint8Array(await readFile(path)));
  let head: string[] | null = null;
  let batch: TableRow[] = [];
  let count = 0;
  const flush = async () => {
    await send({ type: "rows", rows: batch });
    await answered();
    batch = [];
  };
  for (const record of records) {
    if (record.cells.every((cell) => cell.trim() === "")) continue;
    if (!head) {
      const first = record.cells.slice(0, IMPORT_MAX_COLUMNS + 1).map(clean);
      while (first.at(-1) === "") first.pop();
      if (first.length > IMPORT_MAX_COLUMNS) throw new UnreadableFile("tooManyColumns");
      // A file that starts with a person has no column names.
      const isPerson = first.some((cell) => /\S@\S+\.\S/.test(cell));
      head = isPerson ? first.map((_, column) => columnOf(column)) : first;
      await send({ type: "head", ...format, head });
      if (!isPerson) continue;
    }
    count++;
    if (count > IMPORT_MAX_ROWS) throw new UnreadableFile("tooManyRows", record.number);
    batch.push(trimRow(record, head.length));
    if (batch.length === BATCH) await flush();
  }
  if (!head) throw new UnreadableFile("empty");
  if (count === 0) throw new UnreadableFile("noRows");
  if (batch.length > 0) await flush();
  await send({ type: "end" });
}

process.once("message", async ({ path }: { path: string }) => {
  try {
    await read(path);
  } catch (error) {
    const { code, row } = error instanceof UnreadableFile ? error : new UnreadableFile("damaged");
    await send({ type: "failed", code, row });
  }
  process.exit(0);
});
