import type { OpenBot } from "#server/chatbots/botAccess.ts";
import type { GatewayCall } from "#server/connectors/gatewayCall.ts";
import { givesOrders } from "#server/connectors/injection/modelOrders.ts";
import type { Services } from "#server/core/services.ts";
import { readButtonPrompt, readKnown } from "#server/conversations/context.ts";
import { instructionsFor } from "#server/conversations/instructions.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";
import { PASSAGES } from "#server/conversations/passages.ts";
import type { TurnRow } from "#server/conversations/turnRows.ts";
import { type FoundPassage, retrieve, toQuotable } from "#server/documents/retrieval/retrieve.ts";
import type { TurnWhy } from "#shared/conversations/conversations.ts";

/** Maximum number of preceding turns sent to the model. */
const HISTORY_TURNS = 20;
const HISTORY_CHARS = 12_000;

/** `asOf`: time of the values of variables (ISO 8601); by default now. */
type Moment = { hintStep: number; asOf?: string; signal: AbortSignal };

/** Prepares the request for answering the last message of a branch: passages, known facts, instructions and history. */
export async function prepareRequest(
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
  const values = [...new Map([...known.values, ...task.values])];
  const instructions = instructionsFor({ settings, passages, hintStep, ...known, task: task.text, values }, bot.name);
  const why: TurnWhy = {
    query: branch.at(-1)?.text ?? "",
    retrievalMs,
    instructions,
    passages: passages.map(({ id, title, heading, page, score, coverage, text }) => ({
      passageId: id,
      title,
      heading,
      page,
      score,
      coverage,
      givesOrders: givesOrders(text),
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
    passages: toQuotable(passages),
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
): Promise<FoundPassage[]> {
  if (settings.documentIds.length === 0) return [];
  const asked = branch.filter(({ role }) => role === "user").map(({ text }) => text);
  const last = asked.at(-1) ?? "";
  const question = last.length < FOLLOW_UP_CHARS && asked.length > 1 ? `${asked.at(-2)} ${last}` : last;
  const search = { documentIds: settings.documentIds, companyId, isPublic: userId === null, limit: PASSAGES, signal };
  const found = await retrieve(services, { ...search, question: last });
  if (question === last || toQuotable(found).length > 0) return found;
  return retrieve(services, { ...search, question, followUp: last });
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
