import type { FastifyRequest } from "fastify";
import { type OpenBot, draftOf, readOpenBot } from "#server/chatbots/botAccess.ts";
import { readBot } from "#server/chatbots/botRows.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem, signedOut } from "#server/core/http/problem.ts";
import { withLivePhrases } from "#server/conversations/phraseFinder.ts";
import { readVisitor, type Visitor } from "#server/conversations/visitors.ts";
import { VISITOR_HEADER } from "#shared/conversations/conversations.ts";
import type { User } from "#shared/core/users.ts";

/**
 * The owner of a conversation: a person with an account, or a visitor. In an embedded chat it is always a visitor, even
 * if the person is signed in.
 */
export type Owner = { user: User; visitor: null } | { user: null; visitor: Visitor };

export function ownerOf(ctx: Ctx, { headers }: FastifyRequest): Owner {
  const token = headers[VISITOR_HEADER];
  if (token === undefined) {
    if (!ctx.user) throw signedOut();
    return { user: ctx.user, visitor: null };
  }
  const visitor = readVisitor(ctx, token);
  if (!visitor) throw new Problem(401, "conversations.visitorExpired");
  return { user: null, visitor };
}

/** The conversation of an owner; 404 for those of others. */
export async function readOwned({ db }: Pick<Ctx, "db">, { user, visitor }: Owner, id: string) {
  return db
    .selectFrom("conversations")
    .where("id", "=", id)
    .where((e) => (user ? e("userId", "=", user.id) : e("visitor", "=", visitor.id)))
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
}
export type OwnedConversation = Awaited<ReturnType<typeof readOwned>>;

/**
 * The settings that apply in a conversation: those of the version with which it began, while the chatbot is open to its
 * owner; in a preview, those of the draft.
 */
export async function readBotOf(ctx: Ctx, { user }: Owner, conversation: OwnedConversation): Promise<OpenBot> {
  const { chatbotId, courseId, channel, versionId } = conversation;
  if (channel === "preview" && user) return draftOf(await readBot(ctx.db, chatbotId, user));
  const live = await readOpenBot(ctx.db, chatbotId, { user, courseId });
  if (!versionId || versionId === live.versionId) return live;
  const version = await ctx.db
    .selectFrom("chatbotVersions")
    .where("id", "=", versionId)
    .select(["name", "settings"])
    .executeTakeFirst();
  if (!version) return live;
  return { ...live, ...version, versionId, settings: withLivePhrases(version.settings, live.settings) };
}
