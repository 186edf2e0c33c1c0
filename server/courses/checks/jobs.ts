import { sql } from "kysely";
import { z } from "zod";
import { job } from "#server/core/jobs.ts";
import { storeCheck } from "#server/courses/checks/storage.ts";
import { ensureUnpacked } from "#server/courses/packageFolders.ts";
import { READER } from "#server/packages/doctor/reading.ts";
import { Problem } from "#server/core/http/problem.ts";

/** Packages per run, and the time in which a run starts reading packages, in ms. The others wait for the next run. */
const MAX_PACKAGES = 20;
const RUN_MS = 10_000;

/**
 * Reads packages that were never read, or only by earlier rules. The order is random, so that packages whose files are
 * gone do not hold up the others.
 */
export const checkPackages = job(
  "courses:checkPackages",
  z.object({}),
  async (services) => {
    const { db, log } = services;
    const until = performance.now() + RUN_MS;
    const waiting = await db
      .selectFrom("packages")
      .leftJoin("packageChecks", "packageChecks.packageId", "packages.id")
      .where((e) => e.or([e("packageChecks.reader", "is", null), e("packageChecks.reader", "<", READER)]))
      .orderBy(sql`random()`)
      .limit(MAX_PACKAGES)
      .select(["packages.id", "packages.kind", "packages.parts"])
      .execute();
    for (const { id, kind, parts } of waiting) {
      if (performance.now() > until) return;
      try {
        await storeCheck(db, id, await ensureUnpacked(services, id), { kind, parts });
      } catch (error) {
        if (!(error instanceof Problem)) log.error({ err: error, package: id }, "a package could not be checked");
      }
    }
  },
  "*/7 * * * *",
);
