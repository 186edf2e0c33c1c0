import type { Services } from "#server/core/services.ts";
import { judge, judgeTogether } from "#server/imports/checking/judge.ts";
import { parseRows } from "#server/imports/checking/parseRows.ts";
import { type ImportRecord, inBatch, setImport } from "#server/imports/lease.ts";

/** Rows per transaction. */
const BATCH = 500;

/**
 * Checks all rows: first what each says, then, once the keys of all are known, its outcome. Each pass is half of the
 * progress. An interrupted check starts again.
 */
export async function checkFile({ db }: Services, taken: ImportRecord) {
  const { count } = await db
    .selectFrom("peopleImportRows")
    .where("importId", "=", taken.id)
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  let done = 0;
  for (const pass of ["parse", "judge"] as const)
    for (let after = 0; ;) {
      const rows = await db
        .selectFrom("peopleImportRows")
        .where("importId", "=", taken.id)
        .where("number", ">", after)
        .orderBy("number")
        .limit(BATCH)
        .select(["number", "cells"])
        .execute();
      const last = rows.at(-1);
      if (!last) break;
      done += rows.length;
      after = last.number;
      const numbers = rows.map(({ number }) => number);
      await inBatch(db, taken, async (tx) => {
        if (pass === "parse") await parseRows(tx, taken, rows);
        else await judge(tx, taken, numbers);
        await setImport(tx, taken.id, { done: Math.floor(done / 2), total: count });
      });
    }
  await inBatch(db, taken, async (tx) => {
    await judgeTogether(tx, taken);
    await setImport(tx, taken.id, { state: "ready", done: count, tries: 0, leasedUntil: null });
  });
}
