import { sql } from "kysely";
import { alertCare } from "#server/care/alerts.ts";
import { moderateMessage } from "#server/care/moderation.ts";
import type { OpenBot } from "#server/chatbots/botAccess.ts";
import { readBotButtons } from "#server/chatbots/botButtons.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict, notFound } from "#server/core/http/problem.ts";
import { LEASE_SECONDS } from "#server/conversations/answerWriter.ts";
import { leaseEnd } from "#server/core/lease.ts";
import { storeValue } from "#server/conversations/capture.ts";
import { givesOrders } from "#server/connectors/injection/modelOrders.ts";
import { startAnswer } from "#server/conversations/answerTask.ts";
import { findCare } from "#server/conversations/care/careTopic.ts";
import { checkVisitorWork, mayAlert, reserveAnswer, reserveCare } from "#server/conversations/limits.ts";
import { type Owner, type OwnedConversation, readBotOf, readOwned } from "#server/conversations/owners.ts";
import {
  blockedAnswer,
  careAnswer,
  hasBlockedPhrase,
  limitedAnswer,
  type Prepared,
} from "#server/conversations/preparedAnswers.ts";
import { replyOfScene } from "#server/conversations/scene.ts";
import { readTurn, readTurns, toTurn, type TurnRow } from "#server/conversations/turnRows.ts";
import { type conversations, isOpenState, type TurnState } from "#shared/conversations/conversations.ts";
import type { BodyOf } from "#shared/core/route.ts";

type Message = Omit<BodyOf<typeof conversations.send>, "proofOfWork">;
/**
 * How long an answer continues after its last follower has left, in seconds: a learner may come back, a visitor rarely
 * does.
 */
const WATCH_SECONDS = { learner: 60, visitor: 15 };
export const watchedFor = ({ visitor }: Pick<OwnedConversation, "visitor">) =>
  sql<string>`now() + make_interval(secs => ${visitor ? WATCH_SECONDS.visitor : WATCH_SECONDS.learner})`;

const TITLE_CHARS = 80;
/**
 * Stores a message and the row of its answer in one transaction, and starts the answer. Idempotent: a repeated id
 * returns the stored pair.
 */
export async function sendMessage(
  ctx: Ctx,
  owner: Owner,
  id: string,
  sent: BodyOf<typeof conversations.send>,
  address: string,
) {
  const conversation = await readOwned(ctx, owner, id);
  const known = await readPair(ctx, id, sent.id);
  if (known) return known;
  const bot = await readBotOf(ctx, owner, conversation);
  const { settings } = bot;
  const { proofOfWork, ...written } = sent;
  const message = written.buttonId ? { ...written, text: await readLabel(ctx.db, bot, written.buttonId) } : written;
  if (message.text.length > settings.limits.inputChars)
    throw badField("text", "conversations.tooLong", { count: settings.limits.inputChars });
  if (conversation.endedAt !== null) throw conflict("conversations.ended");
  const finding = findCare(message.text);
  const topic = finding?.topic;
  const isSure = finding?.isSure ?? false;
  const isBlocked = hasBlockedPhrase(bot, message.text);
  const prepare = async (tx: Tx, locked: OwnedConversation) => {
    if (isSure && (await reserveCare(tx, locked, address))) return careAnswer(tx, bot, locked);
    await checkVisitorWork(ctx, tx, locked, address, proofOfWork);
    if (isSure) return careAnswer(tx, bot, locked);
    if (!(await reserveAnswer(tx, bot, locked, address))) return limitedAnswer(bot);
    if (isBlocked) return blockedAnswer(bot);
    return settings.pedagogy === "scene" ? playScene(tx, bot, locked, message) : null;
  };
  const stored = await inTransaction(ctx.db, async (tx) => {
    const locked = await tx
      .selectFrom("conversations")
      .where("id", "=", id)
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const turns = await readTurns(tx, id);
    if (turns.some((turn) => turn.id === message.id)) return null;
    if (turns.some((turn) => isOpenState(toTurn(turn).state))) throw conflict("conversations.answering");
    checkParent(turns, message.parentId);
    const ready: Prepared | null = await prepare(tx, locked);
    const first = (turns.at(-1)?.number ?? 0) + 1;
    const state = isBlocked ? "blocked" : "stored";
    const showsHelp = topic !== undefined && !isSure;
    await insertTurn(tx, locked, { ...message, number: first, role: "user", state, options: [], showsHelp });
    const answerId = crypto.randomUUID();
    await insertTurn(tx, locked, {
      id: answerId,
      parentId: message.id,
      number: first + 1,
      role: "assistant",
      state: ready?.state ?? "waiting",
      text: ready?.text ?? "",
      options: ready?.options ?? [],
    });
    for (const value of ready?.sets ?? []) await storeValue(tx, locked, message.id, value);
    await tx
      .updateTable("conversations")
      .set({
        lastAt: sql<string>`now()`,
        questions: sql`questions + 1`,
        title: sql`case when title = '' then ${message.text.slice(0, TITLE_CHARS)} else title end`,
        hintStep: isNewQuestion(message.text, settings.pedagogy) ? 0 : sql`hint_step + 1`,
      })
      .where("id", "=", id)
      .execute();
    if (topic && (await mayAlert(tx, bot, locked, address)))
      await alertCare(ctx, tx, { conversationId: id, companyId: locked.companyId, chatbot: bot.name, topic });
    return { answerId, isReady: ready !== null, conversation: await readOwned({ db: tx }, owner, id) };
  });
  if (stored && !isBlocked && !conversation.isPreview)
    void moderateMessage(
      ctx,
      {
        text: message.text,
        turnId: message.id,
        conversationId: id,
        companyId: conversation.companyId,
        userId: conversation.userId,
        visitorId: conversation.visitor,
        chatbot: bot,
        isFound: finding !== null,
      },
      (tx) => mayAlert(tx, bot, conversation, address),
    );
  if (stored && !stored.isReady) startAnswer(ctx, bot, stored.conversation, await readTurn(ctx.db, stored.answerId));
  return (await readPair(ctx, id, message.id)) ?? fail();
}

/** The label of a button of the chatbot. */
async function readLabel(db: Db, bot: OpenBot, buttonId: string) {
  const button = (await readBotButtons(db, bot)).find(({ id }) => id === buttonId);
  if (!button) throw badField("buttonId", "core.notFound");
  return button.label;
}

const fail = (): never => {
  throw notFound();
};

/** In a chatbot that gives hints, a shorter reply asks for the next hint; a longer one is a new question. */
const NEW_QUESTION_CHARS = 60;
const isNewQuestion = (text: string, pedagogy: string) => pedagogy === "hints" && text.length > NEW_QUESTION_CHARS;

async function readPair({ db }: Pick<Ctx, "db">, conversationId: string, questionId: string) {
  const question = await db
    .selectFrom("turns")
    .where("id", "=", questionId)
    .where("role", "=", "user")
    .selectAll()
    .executeTakeFirst();
  if (!question) return null;
  if (question.conversationId !== conversationId) throw notFound();
  const answer = await db
    .selectFrom("turns")
    .where("parentId", "=", questionId)
    .orderBy("number", "desc")
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
  return { question: toTurn(question), answer: toTurn(answer) };
}

/** Checks that a message replies to an answer of this conversation, or starts it. */
function checkParent(turns: TurnRow[], parentId: string | null) {
  if (parentId === null) return;
  if (turns.find(({ id }) => id === parentId)?.role !== "assistant") throw badField("parentId", "core.notFound");
}

type NewTurn = Pick<TurnRow, "id" | "parentId" | "number" | "text"> & {
  buttonId?: string | null;
  spoken?: boolean;
  /** The help text is shown below the message. */
  showsHelp?: boolean;
  role: "user" | "assistant";
  state: TurnState;
  options: string[];
};

export async function insertTurn(tx: Tx, conversation: OwnedConversation, { options, ...turn }: NewTurn) {
  const isOpen = isOpenState(turn.state);
  const isAnswered = turn.role === "assistant" && !isOpen;
  await tx
    .insertInto("turns")
    .values({
      ...turn,
      conversationId: conversation.id,
      options: JSON.stringify(options),
      givesOrders: turn.role === "user" && givesOrders(turn.text ?? ""),
      ...(isOpen && {
        leasedUntil: leaseEnd(LEASE_SECONDS),
        watchedUntil: watchedFor(conversation),
      }),
      ...(isAnswered && { firstAt: sql<string>`now()`, finishedAt: sql<string>`now()` }),
    })
    .execute();
}

/** The next step of a scene, and the values set by the choice. A final step ends the conversation. */
async function playScene(tx: Tx, { settings }: OpenBot, conversation: OwnedConversation, { text }: Message) {
  const { step, choice, ...reply } = replyOfScene(settings.scene, conversation.sceneStep, text);
  if (step) {
    const isEnd = step.choices.length === 0;
    await tx
      .updateTable("conversations")
      .set({
        sceneStep: step.id,
        ...(isEnd && { endedAt: sql<string>`now()`, outcome: step.reachesGoal ? "goal" : "ended" }),
      })
      .where("id", "=", conversation.id)
      .execute();
  }
  return { ...reply, state: "done" as const, sets: choice?.sets ? [choice.sets] : [] };
}

/**
 * Immediately notifies the person named by the chatbot, or all admins who may read the conversation. The notification
 * does not contain the message.
 */
