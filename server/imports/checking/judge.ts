import type { Tx } from "#server/core/database/db.ts";
import { judgeCompletions, rejectRepeated } from "#server/imports/checking/judgeCompletions.ts";
import { judgeRows, rejectBeyondLimit } from "#server/imports/checking/judgeRows.ts";
import { rejectManagerCycles } from "#server/imports/checking/managerCycles.ts";
import type { ImportRecord } from "#server/imports/lease.ts";

/** Compares rows with the file and with what is stored, and stores the outcome of each. */
export async function judge(tx: Tx, file: ImportRecord, numbers: number[]) {
  if (file.about === "people") await judgeRows(tx, file, numbers);
  else await judgeCompletions(tx, file, numbers);
}

/** What depends on all rows: which say the same, who leads whom, and for how many people there are seats. */
export async function judgeTogether(tx: Tx, file: ImportRecord) {
  if (file.about === "completions") return void (await rejectRepeated(tx, file.id));
  await rejectManagerCycles(tx, file);
  await rejectBeyondLimit(tx, file);
}
