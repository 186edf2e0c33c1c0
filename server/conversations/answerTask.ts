import { type OpenBot } from "#server/chatbots/botAccess.ts";
import type { GatewayCall } from "#server/connectors/gatewayCall.ts";
import type { Services } from "#server/core/services.ts";
import { type AnswerWriter, createAnswerWriter, writersOf } from "#server/conversations/answerWriter.ts";
import { captureValues } from "#server/conversations/capture.ts";
import { finishReply, readReply } from "#server/conversations/modelReply.ts";
import { prepareRequest } from "#server/conversations/modelRequest.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import { phraseFinder } from "#server/conversations/phraseFinder.ts";
import { branchTo, readTurns, type TurnRow, withoutBlocked } from "#server/conversations/turnRows.ts";

/** Starts an answer in the background. Its text can be followed through the writer. */
export function startAnswer(services: Services, bot: OpenBot, conversation: OwnedConversation, answer: TurnRow) {
  const writer = createAnswerWriter(services, answer.id);
  const writers = writersOf(services);
  writers.set(answer.id, writer);
  void answerQuestion(services, bot, conversation, answer, writer)
    .catch(async (error: unknown) => {
      services.log.error({ err: error }, "a question could not be answered");
      await writer.finish({ state: "failed", code: "internal" }).catch(() => {});
    })
    .finally(() => writers.delete(answer.id));
  return writer;
}

async function answerQuestion(
  services: Services,
  bot: OpenBot,
  conversation: OwnedConversation,
  answer: TurnRow,
  writer: AnswerWriter,
) {
  const { settings } = bot;
  const isRefused = phraseFinder(settings.blockedPhrases);
  const branch = withoutBlocked(branchTo(await readTurns(services.db, conversation.id), answer.parentId), isRefused);
  const hintStep = settings.pedagogy === "hints" ? conversation.hintStep : 0;
  const { request, passages, why } = await prepareRequest(services, bot, conversation, branch, {
    hintStep,
    signal: writer.signal,
  });
  const call: GatewayCall = {
    ...request,
    purpose: "chat",
    userId: conversation.userId,
    visitorId: conversation.visitor,
  };
  const outcome = await readReply(services, call, writer, passages);
  const hasHints = settings.pedagogy === "hints";
  const shownOf = () => (hintStep < settings.hints ? "hint" : "full");
  const final = await writer.finish({
    ...outcome.usage,
    ...finishReply(outcome, settings, passages),
    state: outcome.state,
    code: outcome.code,
    why,
    givesOrders: why.passages.some((passage) => passage.givesOrders),
    connector: outcome.connector,
    model: outcome.model,
    hintStep: hasHints ? hintStep : null,
    giveAway: hasHints ? shownOf() : null,
  });
  if (final.state === "done" && outcome.usesModel) await captureValues(services, bot, conversation, branch, final);
}
