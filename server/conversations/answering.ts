import { type OpenBot } from "#server/chatbots/botAccess.ts";
import { type GatewayCall, streamCompletion } from "#server/connectors/gateway.ts";
import type { Services } from "#server/core/services.ts";
import {
  type AnswerWriter,
  createAnswerWriter,
  type FinalState,
  writersOf,
} from "#server/conversations/answerWriter.ts";
import { captureValues } from "#server/conversations/capture.ts";
import { readButtonPrompt, readKnown } from "#server/conversations/context.ts";
import { instructionsFor } from "#server/conversations/instructions.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import { PASSAGES, toGatewayPassage } from "#server/conversations/passages.ts";
import { phraseFinder } from "#server/conversations/phraseFinder.ts";
import { citeSources } from "#server/conversations/sources.ts";
import { branchTo, readTurns, type TurnRow, withoutBlocked } from "#server/conversations/turnRows.ts";
import { type Passage, quotablePassages, retrieve } from "#server/documents/retrieval/retrieve.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };

/** Of the conversation so far, from its end. */
const HISTORY_TURNS = 20;
const HISTORY_CHARS = 12_000;

/** Starts to answer; returns at once. Whoever wants to read along follows the writer. */
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
  const question = branch.at(-1)?.text ?? "";
  const startedAt = performance.now();
  const passages = await findPassages(services, bot, conversation, branch, writer.signal);
  const retrievalMs = Math.round(performance.now() - startedAt);
  const known = await readKnown(services, bot, conversation);
  const hintStep = settings.pedagogy === "hints" ? conversation.hintStep : 0;
  const task = await readButtonPrompt(services, bot, conversation, branch);
  const instructions = instructionsFor({ settings, passages, hintStep, task, ...known }, bot.name);
  const why = {
    query: question,
    retrievalMs,
    instructions,
    passages: passages.map(({ id, title, heading, page, score, coverage }) => ({
      passageId: id,
      title,
      heading,
      page,
      score,
      coverage,
    })),
  };
  const call: GatewayCall = {
    purpose: "chat",
    connectorId: settings.connectorId,
    model: settings.model,
    companyId: conversation.companyId,
    userId: conversation.userId,
    visitorId: conversation.visitor,
    chatbotId: bot.id,
    conversationId: conversation.id,
    messages: [{ role: "system", content: instructions }, ...historyOf(branch)],
    passages: quotablePassages(passages).map(toGatewayPassage),
    maxOutputTokens: settings.limits.outputTokens,
    ...(settings.temperature !== null && { temperature: settings.temperature }),
    signal: writer.signal,
  };
  const outcome = await readAnswer(services, call, writer, passages);
  const hasHints = settings.pedagogy === "hints";
  const shownOf = () => (hintStep < settings.hints ? "hint" : "full");
  const { text, sources } = citeSources(outcome.text, passages);
  const final = await writer.finish({
    ...outcome.usage,
    state: outcome.state,
    code: outcome.code,
    text: outcome.state === "refused" ? settings.refusalText || texts.refusal : text,
    sources: outcome.state === "refused" ? [] : sources,
    why,
    connector: outcome.connector,
    model: outcome.model,
    hintStep: hasHints ? hintStep : null,
    giveAway: hasHints ? shownOf() : null,
  });
  if (final.state === "done" && outcome.usesModel) await captureValues(services, bot, conversation, branch, final);
}

/** Short follow-ups such as "and at night?" are looked for together with the question before them. */
const FOLLOW_UP_CHARS = 40;

async function findPassages(
  services: Services,
  { settings }: OpenBot,
  { companyId, userId }: OwnedConversation,
  branch: TurnRow[],
  signal: AbortSignal,
): Promise<Passage[]> {
  if (settings.documentIds.length === 0) return [];
  const asked = branch.filter(({ role }) => role === "user").map(({ text }) => text);
  const last = asked.at(-1) ?? "";
  const question = last.length < FOLLOW_UP_CHARS && asked.length > 1 ? `${asked.at(-2)} ${last}` : last;
  const search = { documentIds: settings.documentIds, companyId, isPublic: userId === null, limit: PASSAGES, signal };
  const found = await retrieve(services, { ...search, question: last });
  if (question === last || quotablePassages(found).length > 0) return found;
  return retrieve(services, { ...search, question });
}

/** The conversation as a model reads it: from the database, never from the browser. */
function historyOf(branch: TurnRow[]): GatewayCall["messages"] {
  const messages: GatewayCall["messages"] = [];
  let chars = 0;
  for (const { role, text } of branch.slice(-HISTORY_TURNS).toReversed()) {
    chars += text.length;
    if (chars > HISTORY_CHARS && messages.length > 0) break;
    if (text !== "") messages.unshift({ role, content: text });
  }
  return messages;
}

type Outcome = {
  text: string;
  state: FinalState;
  code: string | null;
  usesModel: boolean;
  connector: string | null;
  model: string | null;
  usage: { usageId?: string; tokensIn?: number; tokensOut?: number; costMicros?: number | null };
};

const states = { stop: "done", length: "done", stopped: "stopped", refused: "refused", cut: "cut" } as const;

async function readAnswer(
  services: Services,
  call: GatewayCall,
  writer: AnswerWriter,
  passages: Passage[],
): Promise<Outcome> {
  const outcome: Outcome = {
    text: "",
    state: "cut",
    code: null,
    usesModel: false,
    connector: null,
    model: null,
    usage: {},
  };
  const cited = new Map<string, number>();
  for await (const event of streamCompletion(services, call)) {
    if (event.type === "start") {
      outcome.connector = event.connector.name;
      outcome.model = event.model;
      outcome.usesModel = !event.connector.isBuiltin;
    } else if (event.type === "text") writer.write(event.text);
    else if (event.type === "quote") {
      const at = passages.findIndex(({ id }) => id === event.passageId);
      cited.set(event.passageId, at + 1);
      if (at >= 0) writer.write(` [${at + 1}]`);
    } else if (event.type === "end") {
      const { inputTokens, outputTokens, costMicros } = event.usage;
      outcome.usage = { usageId: event.usageId, tokensIn: inputTokens, tokensOut: outputTokens, costMicros };
      // The model's call ends also when nobody follows it any more: what is there is kept, and can be continued.
      outcome.state = event.reason === "stopped" && !writer.isStopped() ? "cut" : states[event.reason];
      if (event.reason === "length") outcome.code = "length";
    } else {
      outcome.code = event.code;
      outcome.state = writer.text() === "" ? "failed" : "cut";
      if (event.text === undefined) continue;
      // A budget is used up: the admin's words are the answer.
      outcome.state = "limited";
      writer.write(event.text);
    }
  }
  outcome.text = writer.text();
  return outcome;
}
