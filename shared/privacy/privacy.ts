import { z } from "zod";
import { defineContracts, get, post } from "#shared/core/route.ts";
import { anyone, isAdmin, isSignedIn, withReauth } from "#shared/core/users.ts";

// Export and erasure of a person's data

/** Incremented when a key of the export changes its meaning. */
export const EXPORT_VERSION = 2;

/** What a company does with the results of an erased person. */
export const erasurePolicy = z.enum(["delete", "anonymise", "retain"]);
export type ErasurePolicy = z.infer<typeof erasurePolicy>;

export const fate = z.enum(["delete", "anonymise", "keep"]);
export type Fate = z.infer<typeof fate>;
/** A category of stored data: the number of rows, and what an erasure does to them. `until` is a calendar day. */
export const holding = z.object({
  key: z.string(),
  what: z.string(),
  rows: z.int(),
  fate,
  why: z.string(),
  until: z.string().nullable(),
});
export type Holding = z.infer<typeof holding>;

/**
 * Result of an erasure. Contains nothing that identifies the person; `retainedRecords` are random ids of training
 * records an employer must retain.
 */
export const receipt = z.object({
  id: z.uuid(),
  erasedAt: z.string(),
  by: z.enum(["self", "admin"]),
  holdings: z.array(holding),
  files: z.int(),
  retainedRecords: z.array(z.object({ id: z.uuid(), course: z.string(), until: z.string() })),
  /**
   * Day on which the last backup with the data expires; null if the operator has not configured the backup retention.
   */
  backupsUntil: z.string().nullable(),
});
export type Receipt = z.infer<typeof receipt>;

export const erasurePreview = z.object({
  email: z.string().nullable(),
  name: z.string(),
  holdings: z.array(holding),
  files: z.int(),
  /** Problem code for which the erasure would be refused, or null. */
  refused: z.string().nullable(),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

/** Whose data: one's own without `userId`; only admins may name other people. */
const subjectQuery = z.object({ userId: z.uuid().optional() });

/**
 * Open to everyone, because missing sign-in has its own error message. Exporting the data of somebody else requires
 * recent authentication.
 */
export const canRequestData = withReauth(anyone, (user, query) => {
  const { userId } = query as z.output<typeof subjectQuery>;
  return isAdmin(user) && userId !== undefined && userId !== user.id;
});
/** Erasing requires recent authentication: an unattended session must not be enough. */
export const canErase = withReauth(anyone, (user, body) => {
  const { userId } = body as z.output<typeof subjectQuery>;
  return userId === undefined || userId === user.id || isAdmin(user);
});
export const canPreviewErasure = isSignedIn;

export const privacy = defineContracts("privacy", {
  export: get("/api/exportUserData", {
    does: "Export everything stored about a person as one JSON document",
    query: subjectQuery,
    reply: z.looseObject({ schemaVersion: z.int(), generatedAt: z.string() }),
  }),
  erase: post("/api/deleteUserData", {
    does: "Erase a person; requires recent authentication; returns a receipt",
    body: subjectQuery,
    reply: receipt,
  }),
  preview: get("/api/privacy/preview", {
    does: "Get what is stored about a person, and what an erasure would do",
    query: subjectQuery,
    reply: erasurePreview,
  }),
});
