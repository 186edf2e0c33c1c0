import { z } from "zod";
import { get, post } from "#shared/route.ts";
import { anyone, isAdmin, isSignedIn, withReauth } from "#shared/users.ts";

// Export and erasure of a person's data (spec sections 5, 6, 7 and 8)

/** Grows when a key of the export changes its meaning. */
export const EXPORT_VERSION = 1;

/** What a company wants to become of results when a person is erased (research F.4). */
export const erasurePolicy = z.enum(["delete", "anonymise", "retain"]);
export type ErasurePolicy = z.infer<typeof erasurePolicy>;

export const fate = z.enum(["delete", "anonymise", "keep"]);
export type Fate = z.infer<typeof fate>;
/** Rows of one kind: how many there are, and what becomes (or became) of them. `until` is a calendar day. */
export const holding = z.object({
  key: z.string(),
  what: z.string(),
  rows: z.int(),
  fate,
  why: z.string(),
  until: z.string().nullable(),
});
export type Holding = z.infer<typeof holding>;

/** What one call did. Nothing in it leads to the person; `retainedRecords` are the random ids of training proof that an employer keeps. */
export const receipt = z.object({
  id: z.uuid(),
  erasedAt: z.string(),
  by: z.enum(["self", "admin"]),
  holdings: z.array(holding),
  files: z.int(),
  retainedRecords: z.array(z.object({ id: z.uuid(), course: z.string(), until: z.string() })),
  /** Day on which the last backup that may still hold the data is gone; null when the operator did not say how long backups are kept. */
  backupsUntil: z.string().nullable(),
});
export type Receipt = z.infer<typeof receipt>;

export const erasurePreview = z.object({
  email: z.string(),
  name: z.string(),
  holdings: z.array(holding),
  files: z.int(),
  /** Why the erasure would be refused: a problem code, or null. */
  refused: z.string().nullable(),
});
export type ErasurePreview = z.infer<typeof erasurePreview>;

/** Whose data: the own without `userId`; of others only for admins. */
const subjectQuery = z.object({ userId: z.uuid().optional() });

/** Everybody reaches the two calls of the spec, so that a missing sign-in is answered in its words. */
export const canRequestData = anyone;
/** Erasing wants a fresh proof from those who may: an open laptop is not enough. */
export const canErase = withReauth(anyone, (user, body) => {
  const { userId } = body as z.output<typeof subjectQuery>;
  return userId === undefined || userId === user.id || isAdmin(user);
});
export const canPreviewErasure = isSignedIn;

export const privacy = {
  export: get("/api/exportUserData", {
    does: "Everything that is stored about a person, as one JSON document",
    query: subjectQuery,
    reply: z.looseObject({ schemaVersion: z.int(), generatedAt: z.string() }),
  }),
  erase: post("/api/deleteUserData", {
    does: "Erase a person, in a fresh session; answers a receipt",
    body: subjectQuery,
    reply: receipt,
  }),
  preview: get("/api/privacy/preview", {
    does: "What is stored about a person, and what an erasure would do",
    query: subjectQuery,
    reply: erasurePreview,
  }),
};
