import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { READER, readPackage } from "#server/packages/doctor/reading.ts";
import type { PackageKind } from "#shared/courses/completionRules.ts";
import type { Part } from "#shared/player/player.ts";

/** Reads the unpacked files of a package and stores what they say. */
export async function storeCheck(db: Db, id: string, folder: string, of: { kind: PackageKind; parts: Part[] }) {
  const start = performance.now();
  const reading = JSON.stringify(await readPackage(folder, of));
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
