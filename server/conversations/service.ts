import { sql } from "kysely";
import { readDraft, readOpenBot } from "#server/chatbots/botAccess.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound } from "#server/core/http/problem.ts";
import { startAnswer } from "#server/conversations/answerTask.ts";
import { writersOf } from "#server/conversations/answerWriter.ts";
import { findEventOf } from "#server/conversations/eventFacts.ts";
import { checkVisitorWork, limitVisitor, reserveAnswer } from "#server/conversations/limits.ts";
import { type Owner, readBotOf, readOwned } from "#server/conversations/owners.ts";
import { insertTurn } from "#server/conversations/messages.ts";
import { blockedAnswer, hasBlockedPhrase, limitedAnswer } from "#server/conversations/preparedAnswers.ts";
import {
  branchTo,
  readConversation,
  readTurn,
  readTurns,
  selectConversations,
  toTurn,
  type TurnRow,
} from "#server/conversations/turnRows.ts";
import { newVisitorToken } from "#server/conversations/visitors.ts";
import { searchFor } from "#server/core/database/listing.ts";
import { type Conversation, type conversations, isOpenState, type Turn } from "#shared/conversations/conversations.ts";
import type { BodyOf, QueryOf } from "#shared/core/route.ts";
import { isAdmin } from "#shared/core/users.ts";

/** A visitor's token for a public chatbot. */
export async function openVisit(ctx: Ctx, chatbotId: string) {
  await readOpenBot(ctx.db, chatbotId, { user: null, courseId: null });
  return newVisitorToken(ctx, chatbotId);
}

/** The bot of a new conversation: the live version, or in a preview the draft, which only admins see. */
async function botToStart(ctx: Ctx, { user, visitor }: Owner, input: BodyOf<typeof conversations.start>) {
  const { chatbotId, courseId, channel } = input;
  if (visitor && visitor.chatbotId !== chatbotId) throw notFound();
  if (channel !== "preview") return readOpenBot(ctx.db, chatbotId, { user, courseId });
  return readDraft(ctx, chatbotId);
}

/** Starts a conversation. The first step of a scene is its first turn. */
export async function startConversation(
  ctx: Ctx,
  owner: Owner,
  input: BodyOf<typeof conversations.start>,
  address: string,
): Promise<Conversation> {
  const { id, chatbotId, courseId, sessionId, channel } = input;
  const eventId = await findEventOf(ctx.db, input.eventId, chatbotId);
  const known = await ctx.db.selectFrom("conversations").where("id", "=", id).select("id").executeTakeFirst();
  if (known) return readConversation(ctx.db, (await readOwned(ctx, owner, id)).id);
  const bot = await botToStart(ctx, owner, input);
  const { user } = owner;
  if (owner.visitor) await limitVisitor(ctx.db, chatbotId, address);
  const session = await readSession(ctx, user?.id ?? null, courseId, sessionId);
  await inTransaction(ctx.db, async (tx) => {
    const [first] = bot.settings.pedagogy === "scene" ? bot.settings.scene : [];
    const conversation = await tx
      .insertInto("conversations")
      .values({
        id,
        chatbotId,
        versionId: bot.versionId,
        userId: user?.id ?? null,
        visitor: owner.visitor?.id ?? null,
        companyId: user?.companyId ?? null,
        courseId,
        eventId,
        channel,
        isPreview: channel === "preview" || (user !== null && isAdmin(user) && courseId !== null),
        sceneStep: first?.id ?? null,
        ...session,
      })
      .onConflict((clash) => clash.column("id").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!conversation || !first) return;
    await insertTurn(tx, conversation, {
      id: crypto.randomUUID(),
      parentId: null,
      number: 1,
      role: "assistant",
      state: "done",
      text: first.says,
      options: first.choices.map(({ label }) => label),
    });
  });
  await readOwned(ctx, owner, id);
  return readConversation(ctx.db, id);
}

/** The session of a course that runs next to the conversation, if it belongs to the person. */
async function readSession({ db }: Ctx, userId: string | null, courseId: string | null, sessionId: string | null) {
  if (!userId || !courseId || !sessionId) return {};
  const session = await db
    .selectFrom("sessions")
    .innerJoin("attempts", "attempts.id", "sessions.attemptId")
    .innerJoin("enrolments", "enrolments.id", "attempts.enrolmentId")
    .where("sessions.id", "=", sessionId)
    .where("enrolments.userId", "=", userId)
    .where("enrolments.courseId", "=", courseId)
    .select(["sessions.id as sessionId", "attempts.id as attemptId"])
    .executeTakeFirst();
  return session ?? {};
}

export async function listOwnConversations(
  { db }: Ctx,
  { user, visitor }: Owner,
  { q, chatbotId, courseId, eventId, page, size }: QueryOf<typeof conversations.mine>,
) {
  let ownRows = selectConversations(db)
    .where((e) => (user ? e("conversations.userId", "=", user.id) : e("conversations.visitor", "=", visitor.id)))
    .where("conversations.isPreview", "=", false)
    .where("conversations.questions", ">", 0);
  if (chatbotId) ownRows = ownRows.where("conversations.chatbotId", "=", chatbotId);
  if (courseId) ownRows = ownRows.where("conversations.courseId", "=", courseId);
  if (eventId) ownRows = ownRows.where("conversations.eventId", "=", eventId);
  if (q)
    ownRows = ownRows.where((e) =>
      e.or([
        searchFor(q, ["conversations.title"]),
        e.exists(
          e
            .selectFrom("turns")
            .whereRef("turns.conversationId", "=", "conversations.id")
            .where(sql<boolean>`position(lower(${q}) in lower(turns.text)) > 0`)
            .select("turns.id"),
        ),
      ]),
    );
  const { total } = await db
    .selectFrom(ownRows.as("own"))
    .select((e) => e.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const items = await ownRows
    .orderBy("conversations.lastAt", "desc")
    .orderBy("conversations.id")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { items, total };
}

export async function getConversation(ctx: Ctx, owner: Owner, id: string) {
  await readOwned(ctx, owner, id);
  return readConversation(ctx.db, id);
}

export async function removeConversation(ctx: Ctx, owner: Owner, id: string) {
  await readOwned(ctx, owner, id);
  await ctx.db.deleteFrom("conversations").where("id", "=", id).execute();
}

/** A turn of the caller's conversations, with its conversation. */
export async function readOwnTurn(ctx: Ctx, owner: Owner, turnId: string) {
  const turn = await readTurn(ctx.db, turnId);
  return { turn, conversation: await readOwned(ctx, owner, turn.conversationId) };
}

/**
 * Answers a question again, as another branch, within the limits of the chatbot. Idempotent: a repeated id returns the
 * same answer. The prepared answers to messages about self-harm or with a blocked phrase are not replaced.
 */
export async function regenerate(
  ctx: Ctx,
  owner: Owner,
  turnId: string,
  { id, proofOfWork }: BodyOf<typeof conversations.regenerate>,
  address: string,
): Promise<Turn> {
  const { turn, conversation } = await readOwnTurn(ctx, owner, turnId);
  const bot = await readBotOf(ctx, owner, conversation);
  const isFixed = turn.state === "care" || turn.state === "blocked";
  if (turn.role !== "assistant" || isFixed || bot.settings.pedagogy === "scene") throw notFound();
  if (conversation.endedAt !== null) throw conflict("conversations.ended");
  const stored = await inTransaction(ctx.db, async (tx): Promise<TurnRow | null> => {
    await tx.selectFrom("conversations").where("id", "=", conversation.id).select("id").forUpdate().execute();
    const turns = await readTurns(tx, conversation.id);
    if (turns.some((one) => one.id === id)) return null;
    if (turns.some((one) => isOpenState(toTurn(one).state))) throw conflict("conversations.answering");
    const question = branchTo(turns, turn.id).at(-2);
    if (!question) throw notFound();
    await checkVisitorWork(ctx, tx, conversation, address, proofOfWork);
    const isAllowed = await reserveAnswer(tx, bot, conversation, address, true);
    const isBlocked = question.state === "blocked" || hasBlockedPhrase(bot, question.text);
    if (isBlocked) await tx.updateTable("turns").set({ state: "blocked" }).where("id", "=", question.id).execute();
    const allowed = isBlocked ? blockedAnswer(bot) : { state: "waiting" as const, text: "", options: [] };
    const first = isAllowed ? allowed : limitedAnswer(bot);
    const number = (turns.at(-1)?.number ?? 0) + 1;
    await insertTurn(tx, conversation, { id, parentId: question.id, number, role: "assistant", ...first });
    return readTurn(tx, id);
  });
  if (stored && isOpenState(toTurn(stored).state)) startAnswer(ctx, bot, conversation, stored);
  return toTurn(stored ?? (await readOwnTurn(ctx, owner, id)).turn);
}

/** Ends an answer on the node that writes it, within a moment. */
export async function stopAnswer(ctx: Ctx, owner: Owner, turnId: string): Promise<Turn> {
  const { turn } = await readOwnTurn(ctx, owner, turnId);
  if (!isOpenState(turn.state)) return toTurn(turn);
  await ctx.db.updateTable("turns").set({ stopRequested: true }).where("id", "=", turnId).execute();
  writersOf(ctx).get(turnId)?.stop();
  return toTurn(await readTurn(ctx.db, turnId));
}

export async function rateAnswer(ctx: Ctx, owner: Owner, turnId: string, body: BodyOf<typeof conversations.rate>) {
  const { turn } = await readOwnTurn(ctx, owner, turnId);
  if (turn.role !== "assistant") throw notFound();
  await ctx.db
    .updateTable("turns")
    .set({
      rating: body.rating,
      ratingReason: body.rating ? body.reason : null,
      ratingText: body.rating ? body.text : "",
    })
    .where("id", "=", turnId)
    .execute();
  return toTurn(await readTurn(ctx.db, turnId));
}
