import type { OpenBot } from "#server/chatbots/botAccess.ts";
import { type GatewayCall, streamCompletion } from "#server/connectors/gateway.ts";
import type { Services } from "#server/core/services.ts";
import type { AnswerWriter, FinalState } from "#server/conversations/answerWriter.ts";
import { readButtonPrompt, readKnown } from "#server/conversations/context.ts";
import { instructionsFor } from "#server/conversations/instructions.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import { PASSAGES, toGatewayPassage } from "#server/conversations/passages.ts";
import { citeSources } from "#server/conversations/sources.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import { type Passage, quotablePassages, retrieve } from "#server/documents/retrieval/retrieve.ts";
import texts from "#shared/locales/en/chat.json" with { type: "json" };
import type { BotSettings } from "#shared/chatbots/botSettings.ts";
import type { TurnWhy } from "#shared/conversations/conversations.ts";

/** Of the conversation so far, from its end. */
const HISTORY_TURNS = 20;
const HISTORY_CHARS = 12_000;

/** `asOf`: values of variables are those of this time (ISO 8601) instead of those of now. */
type Moment = { hintStep: number; asOf?: string; signal: AbortSignal };

/**
 * What a model is asked when the last message of a branch is answered: passages, what is known, instructions and
 * history.
 */
export async function prepareAnswer(
  services: Services,
  bot: OpenBot,
  conversation: OwnedConversation,
  branch: TurnRow[],
  { hintStep, asOf, signal }: Moment,
) {
  const { settings } = bot;
  const startedAt = performance.now();
  const passages = await findPassages(services, bot, conversation, branch, signal);
  const retrievalMs = Math.round(performance.now() - startedAt);
  const { promptVersion, ...known } = await readKnown(services, bot, conversation, asOf);
  const task = await readButtonPrompt(services, bot, conversation, branch, asOf);
  const instructions = instructionsFor({ settings, passages, hintStep, task, ...known }, bot.name);
  const why: TurnWhy = {
    query: branch.at(-1)?.text ?? "",
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
  const request = {
    connectorId: settings.connectorId,
    model: settings.model,
    companyId: conversation.companyId,
    chatbotId: bot.id,
    conversationId: conversation.id,
    promptVersionId: promptVersion?.id ?? null,
    messages: [{ role: "system" as const, content: instructions }, ...historyOf(branch)],
    passages: quotablePassages(passages).map(toGatewayPassage),
    maxOutputTokens: settings.limits.outputTokens,
    ...(settings.temperature !== null && { temperature: settings.temperature }),
    signal,
  };
  return { request, passages, why, promptVersion };
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

/** What came of a call of a model. */
export type Outcome = {
  text: string;
  state: FinalState;
  code: string | null;
  usesModel: boolean;
  connector: string | null;
  model: string | null;
  usage: { usageId?: string; tokensIn?: number; tokensOut?: number; costMicros?: number | null };
};

/** An answer that grows. */
type Growing = Pick<AnswerWriter, "write" | "text" | "isStopped">;

const states = { stop: "done", length: "done", stopped: "stopped", refused: "refused", cut: "cut" } as const;

/** Lets a model answer, and writes what it says as it comes. */
export async function readAnswer(
  services: Services,
  call: GatewayCall,
  writer: Growing,
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
  for await (const event of streamCompletion(services, call)) {
    if (event.type === "start") {
      outcome.connector = event.connector.name;
      outcome.model = event.model;
      outcome.usesModel = !event.connector.isBuiltin;
    } else if (event.type === "text") writer.write(event.text);
    else if (event.type === "quote") {
      const at = passages.findIndex(({ id }) => id === event.passageId);
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

/** The text and sources of an answer: where nothing was found, the words of the chatbot. */
export function finishAnswer({ state, text }: Outcome, { refusalText }: BotSettings, passages: Passage[]) {
  return state === "refused" ? { text: refusalText || texts.refusal, sources: [] } : citeSources(text, passages);
}
