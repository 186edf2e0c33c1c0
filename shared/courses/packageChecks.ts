import { z } from "zod";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";
import { completionRule } from "#shared/courses/completionRules.ts";
import { comes, packageReading, signalKinds } from "#shared/packages/packageCheck.ts";

// The check of a package: what its files say that it will report, and what came later

export const packageCheck = z.object({
  packageId: z.uuid(),
  title: z.string(),
  fileName: z.string(),
  bytes: z.int(),
  course: z.object({ id: z.uuid(), title: z.string() }),
  /** The version that consists of this package, the latest one; null for a package among lessons. */
  version: z.int().nullable(),
  /** What the importer said, without what the reading says too. */
  warnings: z.array(z.string()),
  /** The completion rule in use, and the learners whom it concerns. */
  rule: completionRule,
  learners: z.int(),
  /** The files could not be read, or not in time. */
  isUnreadable: z.boolean(),
  /** Null if the files of the package are not there, or could not be read. */
  check: z
    .object({
      reading: packageReading,
      /** How often the files were read. */
      number: z.int(),
      tookMs: z.int(),
      checkedAt: z.string(),
    })
    .nullable(),
});
export type PackageCheck = z.infer<typeof packageCheck>;

/** Real sessions after which it is said what came. */
export const ENOUGH_SESSIONS = 10;

export const seenSignal = z.object({
  kind: z.enum(signalKinds),
  predicted: comes,
  /** Sessions in which it came. */
  count: z.int(),
  /** It came although the files said no, or never came although they said yes. */
  differs: z.boolean(),
});
export const seenSignals = z.object({
  /** The latest sessions of learners that were looked at, previews excluded. */
  sessions: z.int(),
  /** Empty before there are enough sessions. */
  signals: z.array(seenSignal),
});
export type SeenSignals = z.infer<typeof seenSignals>;

export const canCheckPackages = isAdmin;

const params = z.object({ id: z.uuid(), packageId: z.uuid() });
export const packageChecks = defineContracts("packageChecks", {
  get: get("/api/courses/:id/packages/:packageId/check", {
    priority: "heavy",
    does: "Get what the files of a package say that it will report; they are read if they were not before",
    params,
    reply: packageCheck,
  }),
  again: post("/api/courses/:id/packages/:packageId/check", {
    priority: "heavy",
    does: "Read the files of a package again",
    params,
    reply: packageCheck,
  }),
  seen: get("/api/courses/:id/packages/:packageId/seen", {
    priority: "heavy",
    does: "Get what a package has reported in the latest sessions of learners, once there are enough of them",
    params,
    reply: seenSignals,
  }),
});
