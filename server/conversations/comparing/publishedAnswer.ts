import type { OpenBot } from "#server/chatbots/botAccess.ts";
import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { stepAt } from "#server/conversations/comparing/sceneStep.ts";
import { finishReply, readReply } from "#server/conversations/modelReply.ts";
import { prepareRequest } from "#server/conversations/modelRequest.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import { replyOfScene } from "#server/conversations/scene.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import type { ComparedAnswer, ComparisonEvent } from "#shared/conversations/answerComparisons.ts";
import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import type { User } from "#shared/core/users.ts";

/** A question that is asked again of the published version of a chatbot. */
export type Asked = {
  ctx: Ctx<User>;
  conversation: OwnedConversation;
  question: TurnRow;
  /** The recorded answer for comparison. */
  answer: TurnRow | null;
  /** All turns of the conversation. */
  turns: TurnRow[];
  /** The turns that lead to the question, without those that no model may read. */
  branch: TurnRow[];
  bot: OpenBot;
  /** Number of the version. */
  number: number;
  send: (event: ComparisonEvent) => void;
  signal: AbortSignal;
};

const nothing: Omit<ComparedAnswer, "state" | "text" | "version"> = {
  code: null,
  sources: [],
  options: [],
  prompt: null,
  connector: null,
  model: null,
  insteadOf: null,
  passages: [],
  retrievalMs: null,
  firstMs: null,
  totalMs: null,
  tokensIn: null,
  tokensOut: null,
  costMicros: null,
};

/** Lets the model of the published version answer, with the values of variables as of the time of the question. */
export async function askModel(request: Asked) {
  const { ctx, conversation, question, branch, bot, number, send, signal } = request;
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  let firstMs: number | null = null;
  let text = "";
  const writer = {
    text: () => text,
    isStopped: () => signal.aborted,
    write(piece: string) {
      firstMs ??= since();
      text += piece;
      send({ type: "text", text: piece });
    },
  };
  const hintStep = bot.settings.pedagogy === "hints" ? (request.answer?.hintStep ?? 0) : 0;
  try {
    const asOf = question.createdAt;
    const { request, passages, why, promptVersion } = await prepareRequest(ctx, bot, conversation, branch, {
      hintStep,
      asOf,
      signal,
    });
    const outcome = await readReply(
      ctx,
      { ...request, purpose: "comparison", userId: ctx.user.id, speakerId: conversation.userId },
      writer,
      passages,
    );
    const { usageId, ...usage } = outcome.usage;
    const answer: ComparedAnswer = {
      ...nothing,
      ...usage,
      ...finishReply(outcome, bot.settings, passages),
      state: outcome.state,
      code: outcome.code as ComparedAnswer["code"],
      version: number,
      prompt: promptVersion && { name: promptVersion.name, number: promptVersion.number },
      connector: outcome.connector,
      model: outcome.model,
      insteadOf: usageId ? await readReplaced(ctx.db, usageId) : null,
      passages: why.passages,
      retrievalMs: why.retrievalMs,
      firstMs,
      totalMs: since(),
    };
    send({ type: "end", answer });
  } catch (error) {
    ctx.log.error({ err: error }, "a question could not be asked again");
    send({ type: "end", answer: { ...nothing, state: "failed", code: "internal", text, version: number } });
  }
}

/** The name of the connector that should have answered, if a fallback did. */
async function readReplaced(db: Db, usageId: string): Promise<string | null> {
  const row = await db
    .selectFrom("aiUsage")
    .innerJoin("connectors", "connectors.id", "aiUsage.fallbackFor")
    .where("aiUsage.id", "=", usageId)
    .select("connectors.name")
    .executeTakeFirst();
  return row?.name ?? null;
}

/**
 * Plays the question in the scene of the published version, from the step at which it was asked. No model is needed.
 */
export async function playScene({ ctx, conversation, question, turns, bot, number, send }: Asked) {
  const { scene } = bot.settings;
  const before = await readScene(ctx.db, conversation);
  const step = stepAt(before, turns, question);
  if (step !== null && !scene.some(({ id }) => id === step))
    return send({ type: "notAsked", reason: "noStep", text: "" });
  const { text, options } = replyOfScene(scene, step, question.text);
  return send({ type: "end", answer: { ...nothing, state: "done", text, options, version: number } });
}

/** The scene of a conversation: that of its version, or of the draft. */
async function readScene(db: Db, { chatbotId, versionId }: OwnedConversation): Promise<BotSettings["scene"]> {
  const row = await db
    .selectFrom("chatbots")
    .leftJoin("chatbotVersions as version", (join) => join.on("version.id", "=", versionId))
    .where("chatbots.id", "=", chatbotId)
    .select(["version.settings as ofVersion", "chatbots.settings as ofDraft"])
    .executeTakeFirstOrThrow();
  const { pedagogy, scene } = row.ofVersion ?? row.ofDraft;
  return pedagogy === "scene" ? scene : [];
}
