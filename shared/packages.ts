import { z } from "zod";
import { courseKind } from "#shared/courses.ts";

// What a course package is once it has been read: the verdict of the importer and the parts a learner can open

/** What one archive may hold. Limits are checked before anything is unpacked, and again on the real bytes. */
export const packageLimits = {
  /** Entries of the archive, folders included. */
  entries: 20_000,
  /** All files unpacked, in bytes. */
  totalBytes: 4 * 1024 ** 3,
  /** A file above `bytes` may be at most `ratio` times its compressed size; the same for the whole archive. */
  fileBomb: { bytes: 10 * 1024 ** 2, ratio: 200 },
  totalBomb: { bytes: 200 * 1024 ** 2, ratio: 100 },
  /** Bytes of a path in UTF-8, and folders it may lie in. */
  pathBytes: 240,
  pathFolders: 32,
  manifestBytes: 10 * 1024 ** 2,
  /** Parts that a learner can open. */
  parts: 2000,
  titleChars: 200,
};

/** One thing the importer has to say: `code` is a translation key, `sentence` its English text with `params` in it. */
export const finding = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  sentence: z.string(),
});
export type Finding = z.infer<typeof finding>;

/** `ok` means: would be imported. `kind` and `title` are null when the package was refused before they were known. */
export const verdict = z.object({
  ok: z.boolean(),
  kind: courseKind.nullable(),
  title: z.string().nullable(),
  /** Address of every part below the package folder, in the order of the table of contents. */
  launch: z.array(z.string()),
  warnings: z.array(finding),
  error: finding.nullable(),
});
export type Verdict = z.infer<typeof verdict>;

export const edition = z.enum(["1.2", "2004 2nd Edition", "2004 3rd Edition", "2004 4th Edition"]);
export type Edition = z.infer<typeof edition>;

/** A learning objective that the manifest declares (2004, imsss:objectives). */
export const objective = z.object({
  id: z.string(),
  isPrimary: z.boolean(),
  /** Scaled score from -1 to 1 that satisfies it; null when its status does not come from the score. */
  minNormalizedMeasure: z.number().nullable(),
});

/**
 * One line of the table of contents: a heading (`href` null) or a part. What the manifest does not say is null.
 * Source: SCORM 1.2 and 2004, Content Aggregation Model.
 */
export const manifestItem = z.object({
  /** Unique in its manifest and stable from one upload to the next; attempts are stored under it. */
  identifier: z.string().max(200),
  /** Plain text; may look like HTML and must be shown as text. */
  title: z.string(),
  isVisible: z.boolean(),
  /** Address below the package folder, encoded, with query string and fragment: what the player opens. */
  href: z.string().nullable(),
  /** The file that `href` opens, as it is named in the package folder. */
  file: z.string().nullable(),
  /** An asset never talks to the run-time. Null for a heading. */
  type: z.enum(["sco", "asset"]).nullable(),
  /** 1.2: adlcp:masteryscore, 0 to 100. */
  masteryScore: z.number().nullable(),
  /** 1.2: adlcp:maxtimeallowed (HHHH:MM:SS); 2004: attemptAbsoluteDurationLimit (ISO 8601). */
  maxTimeAllowed: z.string().nullable(),
  timeLimitAction: z.enum(["exit,message", "exit,no message", "continue,message", "continue,no message"]).nullable(),
  /** Text for cmi.launch_data. */
  dataFromLms: z.string().nullable(),
  /** 1.2: adlcp:prerequisites, shown to admins, not enforced. */
  prerequisites: z.string().nullable(),
  completionThreshold: z.object({ completedByMeasure: z.boolean(), minProgressMeasure: z.number() }).nullable(),
  /** 2004: cmi.scaled_passing_score, from the primary objective. */
  minNormalizedMeasure: z.number().nullable(),
  objectives: z.array(objective),
  get items() {
    return z.array(manifestItem);
  },
});
export type ManifestItem = z.infer<typeof manifestItem>;

/** What is stored with a course version. A plain web page has one part and no edition. */
export const manifest = z.object({
  kind: courseKind,
  edition: edition.nullable(),
  identifier: z.string(),
  title: z.string(),
  items: z.array(manifestItem),
});
export type Manifest = z.infer<typeof manifest>;

/** All parts that can be opened, in the order of the table of contents. */
export function listParts(items: ManifestItem[]): ManifestItem[] {
  return items.flatMap((item) => [...(item.href === null ? [] : [item]), ...listParts(item.items)]);
}
