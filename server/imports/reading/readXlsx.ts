import readXlsxFile from "read-excel-file/node";
import { ArchiveFailure, listEntries } from "#server/core/archives.ts";
import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";
import type { CsvRecord } from "#server/imports/reading/readCsv.ts";

const limits = { entries: 2000, bytes: 150 * 1024 ** 2, ratio: 120, smallBytes: 10 * 1024 ** 2 };

export const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads the sheet with the most rows. The list of files is checked before anything is inflated. */
export async function readXlsx(bytes: Uint8Array): Promise<CsvRecord[]> {
  checkArchive(bytes);
  let sheets: { data: unknown[][] }[];
  try {
    sheets = (await readXlsxFile(Buffer.from(bytes) as never)) as unknown as typeof sheets;
  } catch {
    throw new UnreadableFile("damaged");
  }
  const data = sheets.reduce<unknown[][]>((best, sheet) => (sheet.data.length > best.length ? sheet.data : best), []);
  return data.map((row, at) => ({ number: at + 1, cells: row.map(cellText) }));
}

function checkArchive(bytes: Uint8Array) {
  try {
    if (!listEntries(bytes, limits).has("xl/workbook.xml")) throw new UnreadableFile("unknownFormat");
  } catch (error) {
    throw error instanceof ArchiveFailure ? new UnreadableFile(error.code) : error;
  }
}

function cellText(cell: unknown) {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
}
