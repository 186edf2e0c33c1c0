import { sql } from "kysely";
import type { Services } from "#server/core/services.ts";
import { listDefinitions } from "#server/fields/values.ts";
import { markFileDeleted, markFileUnused } from "#server/files/service.ts";
import { type ImportRecord, inBatch, setImport } from "#server/imports/lease.ts";
import { UnreadableFile } from "#server/imports/reading/fileFailure.ts";
import { readTable, type TableHead, type TableRow } from "#server/imports/reading/readTable.ts";
import { guessColumns } from "#shared/imports/guessColumns.ts";

/** Reads the file into rows, guesses its columns, and deletes it. An interrupted step starts again. */
export async function readFile(services: Services, taken: ImportRecord) {
  const { db, storage } = services;
  const file = await db
    .selectFrom("files")
    .where("id", "=", taken.fileId)
    .where("deletedAt", "is", null)
    .select("storageKey")
    .executeTakeFirst();
  if (!file) throw new UnreadableFile("gone");
  await inBatch(db, taken, async (tx) => {
    await tx.deleteFrom("peopleImportRows").where("importId", "=", taken.id).execute();
    await setImport(tx, taken.id, { done: 0, total: 0 });
  });
  let head: TableHead | null = null;
  let sample: string[] = [];
  let count = 0;
  const store = (rows: TableRow[]) =>
    inBatch(db, taken, async (tx) => {
      await sql`
        insert into people_import_rows (import_id, number, cells)
        select ${taken.id}, number, cells
        from unnest(
          ${rows.map(({ number }) => number)}::integer[],
          ${rows.map(({ cells }) => JSON.stringify(cells))}::jsonb[]
        ) read (number, cells)`.execute(tx);
      if (count === 0) sample = rows[0]?.cells ?? [];
      count += rows.length;
      await setImport(tx, taken.id, { done: count });
    });
  const { path, done: release } = await storage.local(file.storageKey);
  try {
    await readTable(path, {
      onHead: async (read) => {
        head = read;
      },
      onRows: store,
    });
  } catch (error) {
    if (error instanceof UnreadableFile) await dropFile(services, taken);
    throw error;
  } finally {
    await release();
  }
  await finish(services, taken, head as TableHead | null, sample, count);
}

async function finish({ db }: Services, taken: ImportRecord, read: TableHead | null, sample: string[], count: number) {
  if (!read) throw new UnreadableFile("empty");
  await inBatch(db, taken, async (tx) => {
    const remembered = await tx
      .selectFrom("peopleImportMappings")
      .where("companyId", "=", taken.companyId)
      .select("fields")
      .executeTakeFirst();
    const { about } = taken;
    const own = about === "people" ? await listDefinitions(tx, taken.companyId) : [];
    const mapping = guessColumns({ about, head: read.head, sample }, remembered?.fields, own);
    await tx
      .updateTable("peopleImports")
      .set({
        state: "checking",
        format: read.format,
        delimiter: read.delimiter,
        encoding: read.encoding,
        head: JSON.stringify(read.head),
        mapping: JSON.stringify(mapping),
        total: count,
        done: 0,
        tries: 0,
        leasedUntil: null,
      })
      .where("id", "=", taken.id)
      .execute();
    if (taken.fileId) {
      await markFileUnused(tx, taken.fileId);
      await markFileDeleted(tx, taken.fileId);
    }
  });
}

const dropFile = ({ db }: Services, taken: ImportRecord) =>
  inBatch(db, taken, async (tx) => {
    await tx.deleteFrom("peopleImportRows").where("importId", "=", taken.id).execute();
    if (!taken.fileId) return;
    await markFileUnused(tx, taken.fileId);
    await markFileDeleted(tx, taken.fileId);
  });
