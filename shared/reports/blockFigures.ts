import { z } from "zod";
import { listQuery } from "#shared/core/route.ts";
import { reportFields } from "#shared/reports/reportQueries.ts";
import { MAX_BLOCKS, MAX_LESSONS } from "#shared/lessons/lessonDocument.ts";

// What authors learn of the blocks of a lesson: who came to them, how long they took, and where people stopped

/** Someone has stopped after this many days without doing anything in the course. */
export const STOPPED_DAYS = 7;
/** Longer pauses are no time on a block, in minutes. */
export const MAX_MINUTES_ON_BLOCK = 30;

export const blockGroups = ["reached", "stopped"] as const;
export const blockGroup = z.enum(blockGroups);
export type BlockGroup = z.infer<typeof blockGroup>;

export const blockFigures = z.object({
  id: z.string(),
  kind: z.string(),
  /** The beginning of its text. */
  about: z.string(),
  reached: z.int(),
  /** Of those who came to what follows; null if nobody did. */
  medianSeconds: z.number().nullable(),
  stopped: z.int(),
  unclear: z.int(),
});
export type BlockFigures = z.infer<typeof blockFigures>;

export const lessonFigures = z.object({
  /** Lessons of the version. */
  lessons: z.array(z.object({ sco: z.string(), title: z.string() })).max(MAX_LESSONS),
  /** Numbers of the versions with lessons, the newest first. */
  versions: z.array(z.int()),
  /** The lesson that is counted; null if the version has none. */
  lesson: z.string().nullable(),
  /** People who came to any of its blocks. */
  learners: z.int(),
  blocks: z.array(blockFigures).max(MAX_BLOCKS),
});

export const lessonFiguresQuery = z.object({
  companyId: z.uuid().optional(),
  groupId: z.uuid().optional(),
  asOf: reportFields.asOf,
  zone: reportFields.zone,
  /** By default the first lesson. */
  lesson: z.string().max(265).optional(),
  /** Only attempts at this version; by default those at all, at the blocks of the live one. */
  version: z.coerce.number().int().min(1).max(1_000_000).optional(),
});

export const blockPeopleQuery = listQuery
  .pick({ page: true, size: true })
  .extend(lessonFiguresQuery.shape)
  .extend({ lesson: z.string().max(265).default(""), block: z.string().max(64).default("") })
  .extend({ group: blockGroup.default("reached") });

export const blockPerson = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  person: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  company: z.string().nullable(),
  sessionId: z.uuid(),
  /** When the block came into view, in ms since the start of the session. */
  t: z.int(),
  seenAt: z.string(),
});
export type BlockPerson = z.infer<typeof blockPerson>;
