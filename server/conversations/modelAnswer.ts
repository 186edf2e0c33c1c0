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

/** Maximum number of preceding turns sent to the model. */
const HISTORY_TURNS = 20;
const HISTORY_CHARS = 12_000;

/** `asOf`: time of the values of variables (ISO 8601); by default now. */
type Moment = { hintStep: number; asOf?: string; signal: AbortSignal };

/** Prepares the request for answering the last message of a branch: passages, known facts, instructions and history. */
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

/** Shorter follow-ups such as "and at night?" are searched for together with the preceding question. */
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

/** The conversation for the model, from the database, never from the browser. */
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

/** The outcome of a call of a model. */
export type Outcome = {
  text: string;
  state: FinalState;
  code: string | null;
  usesModel: boolean;
  connector: string | null;
  model: string | null;
  usage: { usageId?: string; tokensIn?: number; tokensOut?: number; costMicros?: number | null };
};

/** The part of the writer that a growing answer needs. */
type Growing = Pick<AnswerWriter, "write" | "text" | "isStopped">;

const states = { stop: "done", length: "done", stopped: "stopped", refused: "refused", cut: "cut" } as const;

/** Lets a model answer, and writes its text as it arrives. */
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
      // The call also ends when nobody follows it: the text so far is kept, and can be continued.
      outcome.state = event.reason === "stopped" && !writer.isStopped() ? "cut" : states[event.reason];
      if (event.reason === "length") outcome.code = "length";
    } else {
      outcome.code = event.code;
      outcome.state = writer.text() === "" ? "failed" : "cut";
      if (event.text === undefined) continue;
      // A budget is used up: the answer is the text of the admin.
      outcome.state = "limited";
      writer.write(event.text);
    }
  }
  outcome.text = writer.text();
  return outcome;
}

/** The text and sources of an answer; if nothing was found, the refusal text of the chatbot. */
export function finishAnswer({ state, text }: Outcome, { refusalText }: BotSettings, passages: Passage[]) {
  return state === "refused" ? { text: refusalText || texts.refusal, sources: [] } : citeSources(text, passages);
}
