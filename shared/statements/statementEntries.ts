import { z } from "zod";
import { day } from "#shared/core/dates.ts";

// Statements as admins see them: who did what, in words, and the statement as it was stored.

/** Characters of the reason for which a statement is voided. */
export const MIN_REASON_CHARS = 3;
export const MAX_REASON_CHARS = 300;
/** Names in lists are cut to this length, in characters. */
export const MAX_NAME_CHARS = 300;

export const statementFilter = z.object({
  companyId: z.uuid().optional(),
  userId: z.uuid().optional(),
  /** Who is not a learner here: the key of an agent of the company, as statements have it (`agentKey`). */
  agentKey: z.guid().optional(),
  /** The id of a verb, which is an IRI. */
  verb: z.string().max(2048).optional(),
  /** The id of an activity, which is an IRI. */
  activity: z.string().max(2048).optional(),
  clientId: z.uuid().optional(),
  sessionId: z.uuid().optional(),
  /** Days in UTC on which statements were stored. */
  from: day.optional(),
  to: day.optional(),
  voided: z.enum(["yes", "no"]).optional(),
});
export type StatementFilter = z.infer<typeof statementFilter>;

const result = z.object({
  /** From 0 to 100; of a raw score only if its range is known. */
  scorePercent: z.number().nullable(),
  /** The raw score where its range is not known. */
  score: z.number().nullable(),
  success: z.boolean().nullable(),
  completion: z.boolean().nullable(),
  /** Seconds. */
  duration: z.number().nullable(),
});

export const statementEntry = z.object({
  /** Numbers statements in the order in which they were stored. */
  position: z.int(),
  id: z.guid(),
  storedAt: z.string(),
  happenedAt: z.string(),
  companyId: z.uuid(),
  company: z.string(),
  /** The learner whom the actor names; null if it is nobody here. */
  userId: z.uuid().nullable(),
  /** The actor. `erased`: a person who was erased, without a name. */
  actor: z.object({
    kind: z.enum(["agent", "group", "erased"]),
    name: z.string(),
    /** Null for a group without an identifier. */
    agentKey: z.guid().nullable(),
  }),
  /** `name` is empty if the statement has no word for it. */
  verb: z.object({ id: z.string(), name: z.string() }),
  /** `id`: of an activity. */
  object: z.object({
    kind: z.enum(["activity", "agent", "statement", "subStatement"]),
    id: z.string().nullable(),
    name: z.string(),
  }),
  result: result.nullable(),
  /** The key that has sent it, or the course that a learner had opened; otherwise the server has said it. */
  client: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  session: z.object({ id: z.uuid(), course: z.string() }).nullable(),
  isVoided: z.boolean(),
  isVoiding: z.boolean(),
});
export type StatementEntry = z.infer<typeof statementEntry>;

export const statementDetail = statementEntry.extend({
  registration: z.guid().nullable(),
  version: z.string(),
  attachments: z.int(),
  /** Statements of the same session, up to 1,000. */
  sessionStatements: z.int().nullable(),
  /** Why and when it was voided. `reason` is empty if the voiding statement says none. */
  voiding: z.object({ at: z.string(), reason: z.string() }).nullable(),
  /** As it was stored: JSON with indentation. */
  text: z.string(),
});
export type StatementDetail = z.infer<typeof statementDetail>;

export const statementVerb = z.object({ id: z.string(), name: z.string() });
