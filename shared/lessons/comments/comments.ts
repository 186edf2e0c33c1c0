import { z } from "zod";
import { defineContracts, del, get, patch, post } from "#shared/core/route.ts";
import { blockId } from "#shared/lessons/richText.ts";

// Comments of authors on a lesson or a block of a draft. Learners never see them.

export const MAX_COMMENT_CHARS = 4000;
/** Comments of a lesson. */
export const MAX_COMMENTS = 1000;
/** People that one comment mentions. */
export const MAX_MENTIONS = 20;

/** A mention in a text: `@[id of the person]`, so that it always shows the person's present name. */
const MENTION = /@\[([0-9a-f-]{36})\]/g;
export type CommentPart = { text: string; userId: string | null };

/** The words and mentions of a text, in their order. */
export function readMentions(text: string): CommentPart[] {
  const parts: CommentPart[] = [];
  let from = 0;
  for (const { index, 0: found, 1: userId } of text.matchAll(MENTION)) {
    if (index > from) parts.push({ text: text.slice(from, index), userId: null });
    parts.push({ text: found, userId: userId ?? null });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), userId: null });
  return parts;
}
export const mentionOf = (userId: string) => `@[${userId}]`;
export const listMentions = (text: string) => [...new Set(readMentions(text).flatMap(({ userId }) => userId ?? []))];

const text = z.string().trim().min(1).max(MAX_COMMENT_CHARS);

export const comment = z.object({
  id: z.uuid(),
  /** Empty if its author was erased. */
  text: z.string(),
  /** Null if the author was erased. */
  authorId: z.uuid().nullable(),
  author: z.string().nullable(),
  isOwn: z.boolean(),
  createdAt: z.string(),
  editedAt: z.string().nullable(),
});
export type LessonComment = z.infer<typeof comment>;

export const thread = z.object({
  id: z.uuid(),
  /** Null: about the whole lesson. */
  blockId: z.string().nullable(),
  /** The beginning of the block when the thread began. */
  about: z.string(),
  resolvedAt: z.string().nullable(),
  resolvedBy: z.string().nullable(),
  comments: z.array(comment),
});
export type CommentThread = z.infer<typeof thread>;

export const colleague = z.object({ id: z.uuid(), name: z.string() });
export type Colleague = z.infer<typeof colleague>;

const byId = z.object({ id: z.uuid() });

export const lessonComments = defineContracts("lessonComments", {
  list: get("/api/lesson-drafts/:id/comments", {
    does: "List the threads of comments on a lesson draft, and who can be mentioned in them",
    reply: z.object({
      threads: z.array(thread),
      people: z.array(colleague),
      /** Names of who is mentioned, by id; an erased person is missing. */
      mentioned: z.record(z.uuid(), z.string()),
    }),
  }),
  add: post("/api/lesson-drafts/:id/comments", {
    does: "Comment on a lesson draft or a block of it, or answer in a thread; the same id is stored once",
    body: z.object({
      id: z.uuid(),
      threadId: z.uuid().optional(),
      blockId: blockId.optional(),
      about: z.string().max(200).default(""),
      text,
    }),
    reply: byId,
  }),
  edit: patch("/api/lesson-comments/:id", {
    does: "Change one's own comment on a lesson draft",
    body: z.object({ text }),
    reply: byId,
  }),
  remove: del("/api/lesson-comments/:id", {
    does: "Delete one's own comment on a lesson draft; the first one goes with its thread if nobody else answered",
  }),
  resolve: post("/api/lesson-comments/:id/resolve", {
    does: "Resolve or reopen the thread of a comment",
    body: z.object({ isResolved: z.boolean() }),
    reply: byId,
  }),
});
