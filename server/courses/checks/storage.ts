import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { type Package, READER } from "#server/packages/doctor/reading.ts";
import { readInThread } from "#server/packages/doctor/thread.ts";

const pending = new Map<string, Promise<void>>();

/**
 * Reads the unpacked files of a package and stores the reading, or that there is none, so that the job does not try
 * again. Simultaneous callers share one reading.
 */
export function storeCheck(db: Db, id: string, folder: string, of: Package) {
  const work = pending.get(id) ?? readAndStore(db, id, folder, of).finally(() => pending.delete(id));
  pending.set(id, work);
  return work;
}

async function readAndStore(db: Db, id: string, folder: string, of: Package) {
  const start = performance.now();
  const read = await readInThread(folder, of);
  const reading = read && JSON.stringify(read);
  const tookMs = Math.round(performance.now() - start);
  await db
    .insertInto("packageChecks")
    .values({ packageId: id, reading, reader: READER, tookMs })
    .onConflict((conflict) =>
      conflict.column("packageId").doUpdateSet((e) => ({
        reading,
        reader: READER,
        tookMs,
        checkedAt: sql<string>`now()`,
        number: e("packageChecks.number", "+", 1),
      })),
    )
    .execute();
}
