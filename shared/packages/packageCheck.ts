import { z } from "zod";
import { packageKind } from "#shared/courses/completionRules.ts";

// What the files of a package say about it: what made it, what it will report, what is broken in it

/** Where something was found. `column` counts from 1 too; scripts of tools often have one long line. */
export const foundAt = z.object({ file: z.string(), line: z.int().nullable(), column: z.int().nullable() });
export type FoundAt = z.infer<typeof foundAt>;

export const signalKinds = ["resumes", "time", "score", "outcome", "completed", "answers", "memory"] as const;
export type SignalKind = (typeof signalKinds)[number];
/** `depends`: the tool can, and the course decides; `unknown`: the files do not say. */
export const comes = z.enum(["yes", "no", "depends", "unknown"]);
export type Comes = z.infer<typeof comes>;

/** Why a signal comes or does not come; the texts are under `packageChecks.because`. */
export const because = z.enum([
  "calls",
  "driver",
  "settings",
  "opening",
  "passMark",
  "tool",
  "variable",
  "never",
  "noRunTime",
  "notRead",
  "someUnits",
]);
export type Because = z.infer<typeof because>;

/** Places that are kept of a signal or a finding; there may be more. */
export const MAX_PLACES = 5;

export const signal = z.object({
  kind: z.enum(signalKinds),
  comes,
  because,
  /** What is set there: a data model element with its value, a function of a driver, a setting. */
  what: z.string(),
  places: z.array(foundAt),
});
export type Signal = z.infer<typeof signal>;

export const riskCodes = [
  "missing",
  "wrongCase",
  "foreignHosts",
  "mixedContent",
  "heavyStart",
  "noCaptions",
  "noAltTexts",
  "closesWindow",
  "opensWindow",
  "leavesFrame",
  "dialogs",
  "documentDomain",
  "evaluates",
  "plugins",
  "programs",
  "serviceWorker",
  "storage",
  "variables",
  "notWhole",
] as const;
export type RiskCode = (typeof riskCodes)[number];
/** `count` may be higher than the number of names and places, which are limited. */
export const risk = z.object({
  code: z.enum(riskCodes),
  count: z.int(),
  names: z.array(z.string()),
  places: z.array(foundAt),
});
export type Risk = z.infer<typeof risk>;

export const packageReading = z.object({
  kind: packageKind,
  /** What made the package, and by which mark it was recognised; null if nothing says so. */
  tool: z.object({ name: z.string(), version: z.string().nullable(), isCertain: z.boolean(), at: foundAt }).nullable(),
  /** The library through which the package reports. */
  driver: z.string().nullable(),
  units: z.int(),
  /** Units that cannot report, and count as done once they were opened. */
  assets: z.int(),
  slides: z.int().nullable(),
  pages: z.int(),
  videos: z.int(),
  sounds: z.int(),
  languages: z.array(z.string()),
  /** The first page is made for small screens; null if it is not a page. */
  isForPhones: z.boolean().nullable(),
  files: z.int(),
  bytes: z.number(),
  /** Bytes of the first page and of what it loads, as far as its markup and styles say. */
  firstBytes: z.number(),
  /** The score from which a unit counts as passed, in percent, if the manifest says so. */
  masteryPercent: z.number().nullable(),
  /** cmi5: what the units ask for. */
  moveOn: z.array(z.string()),
  signals: z.array(signal),
  risks: z.array(risk),
  /** False if a limit was reached and the rest of the files was not read. */
  isWhole: z.boolean(),
});
export type PackageReading = z.infer<typeof packageReading>;

export const signalOf = (reading: Pick<PackageReading, "signals">, kind: SignalKind): Comes =>
  reading.signals.find((one) => one.kind === kind)?.comes ?? "unknown";
