import { PassThrough } from "node:stream";
import { record } from "#server/audit/service.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { inScope } from "#server/core/database/scope.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import { isShown } from "#server/core/database/measured.ts";
import { type Asked, askModel, playScene } from "#server/conversations/comparing/publishedAnswer.ts";
import { answersTo, chooseAnswer, readRecorded } from "#server/conversations/comparing/recordedAnswer.ts";
import { findCare } from "#server/conversations/care/careTopic.ts";
import { phraseFinder } from "#server/conversations/phraseFinder.ts";
import { branchTo, readTurn, readTurns, type TurnRow, withoutBlocked } from "#server/conversations/turnRows.ts";
import type { answerComparisons, ComparisonEvent } from "#shared/conversations/answerComparisons.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import { BUILTIN_MODEL } from "#shared/connectors/connectors.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

/** Maximum comparisons of one admin in ten minutes. */
const MAX_COMPARISONS = 20;
const TEN_MINUTES = 600;

type Send = (event: ComparisonEvent) => void;

/**
 * Asks the published version of a chatbot an earlier question, with the turns before it in its branch, and streams both
 * answers as lines of JSON. Writes only a row of the usage log and an audit entry. `signal` cancels the call at the
 * provider.
 */
export async function compareAnswers(
  ctx: Ctx<User>,
  questionId: string,
  { answerId }: BodyOf<typeof answerComparisons.compare>,
  signal: AbortSignal,
) {
  const question = await readTurn(ctx.db, questionId);
  const conversation = await findConversation(ctx, question);
  const turns = await readTurns(ctx.db, conversation.id);
  const answer = chooseAnswer(answersTo(turns, question.id), answerId);
  if (!(await reserve(ctx.db, ["comparison", ctx.user.id], MAX_COMPARISONS, TEN_MINUTES)))
    throw new Problem(429, "core.tooMany", { values: { seconds: TEN_MINUTES } });
  const { userId, companyId, courseId } = conversation;
  await record(ctx.db, ctx, {
    action: "conversations.compare",
    ...(userId && { people: [userId] }),
    companyId,
    courseId,
    details: { conversation: conversation.id },
  });
  const published = await readPublished(ctx, conversation.chatbotId);
  const recorded = answer && ((await readRecorded(ctx.db, [answer])).get(answer.id) ?? null);
  const lines = new PassThrough();
  const send: Send = (event) => void (lines.writable && lines.write(`${JSON.stringify(event)}\n`));
  send({
    type: "begin",
    chatbot: published.name,
    question: question.text,
    askedAt: question.createdAt,
    recorded,
    version: published.live?.number ?? null,
    hasValues: userId !== null && companyId !== null,
  });
  void answerNow({ ctx, conversation, question, answer, turns, send, signal }, published)
    .catch((error: unknown) => ctx.log.error({ err: error }, "a question could not be asked again"))
    .finally(() => lines.end());
  return lines;
}

/** The conversation of a question. 404 for answers, and for conversations that the user may not read. */
async function findConversation({ db, user }: Ctx<User>, { role, conversationId }: TurnRow) {
  if (role !== "user") throw notFound();
  return db
    .selectFrom("conversations")
    .where("id", "=", conversationId)
    .where(inScope(user, { company: "conversations.companyId", person: "conversations.userId" }))
    .where(isShown(user, "conversations", "conversations.companyId"))
    .selectAll()
    .executeTakeFirstOrThrow(notFound);
}

async function readPublished({ db }: Ctx<User>, chatbotId: string) {
  const { status, name, liveId, liveName, number, settings } = await db
    .selectFrom("chatbots")
    .leftJoin("chatbotVersions as live", "live.id", "chatbots.liveVersionId")
    .where("chatbots.id", "=", chatbotId)
    .select(["chatbots.status", "chatbots.name", "live.id as liveId", "live.name as liveName"])
    .select(["live.number", "live.settings"])
    .executeTakeFirstOrThrow(notFound);
  // The published version of a paused chatbot can still be compared.
  const isLive = (status === "published" || status === "paused") && liveId && liveName && number && settings;
  return {
    name: liveName ?? name,
    isArchived: status === "archived",
    live: isLive ? { number, bot: { id: chatbotId, name: liveName, versionId: liveId, settings } } : null,
  };
}
type Published = Awaited<ReturnType<typeof readPublished>>;

async function answerNow(request: Omit<Asked, "bot" | "number" | "branch">, { live, isArchived }: Published) {
  const { send, turns, question } = request;
  if (!live) return send({ type: "notAsked", reason: isArchived ? "archived" : "unpublished", text: "" });
  const { settings } = live.bot;
  const refusal = findRefusal(question, answersTo(turns, question.id), settings);
  if (refusal) return send({ type: "notAsked", ...refusal });
  const isRefused = phraseFinder(settings.blockedPhrases);
  const branch = withoutBlocked(branchTo(turns, question.id), isRefused);
  const complete = { ...request, ...live, branch };
  return settings.pedagogy === "scene" ? playScene(complete) : askModel(complete);
}

/** Why a question is not sent to a model again, and the prepared text of the published version. */
function findRefusal(question: TurnRow, answers: TurnRow[], settings: BotSettings) {
  if (findCare(question.text)?.isSure || answers.some(({ state }) => state === "care"))
    return { reason: "care" as const, text: settings.careText || texts.care };
  if (question.state === "blocked" || phraseFinder(settings.blockedPhrases)(question.text))
    return { reason: "blocked" as const, text: settings.blockedText || texts.blocked };
  // The built-in connector refuses questions without a passage; a refusal by a provider means that it was moderated.
  const isModerated = answers.some(
    ({ state, model }) => state === "refused" && model !== null && model !== BUILTIN_MODEL,
  );
  return isModerated ? { reason: "moderated" as const, text: "" } : null;
}
