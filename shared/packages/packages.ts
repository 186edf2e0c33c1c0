import { z } from "zod";
import { activityTree } from "#shared/packages/activityTree.ts";
import { packageKind } from "#shared/courses/completionRules.ts";

// A course package as read by the importer: the report on it, its manifest and its parts

/** Limits of one archive, checked before anything is unpacked and again on the unpacked bytes. */
export const packageLimits = {
  /** Entries of the archive, including folders. */
  entries: 20_000,
  /** Total size of all unpacked files, in bytes. */
  totalBytes: 4 * 1024 ** 3,
  /** A file larger than `bytes` may expand to at most `ratio` times its compressed size; likewise the whole archive. */
  fileBomb: { bytes: 10 * 1024 ** 2, ratio: 200 },
  totalBomb: { bytes: 200 * 1024 ** 2, ratio: 100 },
  /** Length of a path in UTF-8 bytes, and its depth in folders. */
  pathBytes: 240,
  pathFolders: 32,
  manifestBytes: 10 * 1024 ** 2,
  /** Items of the table of contents. */
  parts: 2000,
  titleChars: 200,
};

/**
 * A warning or an error of the importer: `code` is a translation key, `sentence` its English text with `params` filled
 * in.
 */
export const finding = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  sentence: z.string(),
});
export type Finding = z.infer<typeof finding>;

/**
 * Result of checking a package. `ok`: it can be imported. `kind` and `title` are null if it was rejected before they
 * were known.
 */
export const packageReport = z.object({
  ok: z.boolean(),
  kind: packageKind.nullable(),
  title: z.string().nullable(),
  /** URL of every part relative to the package folder, in the order of the table of contents. */
  launch: z.array(z.string()),
  warnings: z.array(finding),
  error: finding.nullable(),
});
export type PackageReport = z.infer<typeof packageReport>;

export const edition = z.enum(["1.2", "2004 2nd Edition", "2004 3rd Edition", "2004 4th Edition"]);
export type Edition = z.infer<typeof edition>;

/** A learning objective declared in the manifest (SCORM 2004, imsss:objectives). */
export const objective = z.object({
  id: z.string(),
  isPrimary: z.boolean(),
  /** Scaled score from -1 to 1 that satisfies it; null if its status does not depend on the score. */
  minNormalizedMeasure: z.number().nullable(),
});

/**
 * An item of the table of contents: a heading (`href` null) or a part. Values missing in the manifest are null.
 * Source: SCORM 1.2 and 2004, Content Aggregation Model.
 */
export const manifestItem = z.object({
  /** Unique within the manifest and stable across uploads; attempts are stored under it. */
  identifier: z.string().max(200),
  /** Plain text; may look like HTML and must be rendered as text. */
  title: z.string(),
  isVisible: z.boolean(),
  /** URL relative to the package folder, encoded, with query string and fragment: what the player opens. */
  href: z.string().nullable(),
  /** Path of the file that `href` refers to. */
  file: z.string().nullable(),
  /** Null for a heading. Assets do not call the SCORM run-time. */
  type: z.enum(["sco", "asset"]).nullable(),
  /** 1.2: adlcp:masteryscore, 0 to 100. */
  masteryScore: z.number().nullable(),
  /** 1.2: adlcp:maxtimeallowed (HHHH:MM:SS); 2004: attemptAbsoluteDurationLimit (ISO 8601). */
  maxTimeAllowed: z.string().nullable(),
  timeLimitAction: z.enum(["exit,message", "exit,no message", "continue,message", "continue,no message"]).nullable(),
  /** Value of cmi.launch_data. */
  dataFromLms: z.string().nullable(),
  /** 1.2: adlcp:prerequisites, as the script that it is. */
  prerequisites: z.string().nullable(),
  completionThreshold: z.object({ completedByMeasure: z.boolean(), minProgressMeasure: z.number() }).nullable(),
  /** 2004: cmi.scaled_passing_score of the primary objective. */
  minNormalizedMeasure: z.number().nullable(),
  objectives: z.array(objective),
  /** Titles by language tag, if the package has them in several languages. */
  titles: z.record(z.string(), z.string()).optional(),
  /** cmi5 and xAPI: what a launch needs, by the names of shared/player/activities.ts. */
  launch: z.record(z.string(), z.string()).optional(),
  get items() {
    return z.array(manifestItem);
  },
});
export type ManifestItem = z.infer<typeof manifestItem>;

/** The manifest as stored with a course version. A plain web page has one item and no edition. */
export const manifest = z.object({
  kind: packageKind,
  edition: edition.nullable(),
  identifier: z.string(),
  title: z.string(),
  items: z.array(manifestItem),
  /** Only of a package with sequencing rules. */
  sequencing: activityTree.optional(),
});
export type Manifest = z.infer<typeof manifest>;

/**
 * What the authoring tool of a package exposes to the surrounding page. `path`: see `parseToolPath`; `title`: of the
 * content, or empty.
 */
export type PackageName = {
  path: string;
  title: string;
  /** The value that the variable has before anything sets it, if the files of the package say so. */
  initial?: string | number | boolean;
};

/** All items that can be opened, in the order of the table of contents. */
export function listParts(items: ManifestItem[]): ManifestItem[] {
  return items.flatMap((item) => [...(item.href === null ? [] : [item]), ...listParts(item.items)]);
}
