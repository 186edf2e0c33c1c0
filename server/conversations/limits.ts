import { type OpenBot } from "#server/chatbots/botAccess.ts";
import type { Db, Tx } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { networkOf } from "#server/core/limits/network.ts";
import { consumeSolution, newChallenge } from "#server/core/limits/proofOfWork.ts";
import type { Services } from "#server/core/services.ts";
import { type Limit, reserve, reserveAll } from "#server/core/limits/throttle.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";

const TEN_MINUTES = 600;
const DAY = 86_400;
/** The share of a chatbot's daily messages that visitors of one network may use. */
const NETWORK_SHARE = 0.25;

/**
 * The daily limits of a chatbot: the total and, for visitors, that of their network, because a visitor can pose as any
 * number of people. The keys start with `what`; `times`: units per message.
 */
export function dailyLimits(what: string, { id, settings: { limits } }: OpenBot, visitorAt: string | null, times = 1) {
  const perDay = limits.perDay * times;
  const all: Limit = [[what, id], perDay, DAY];
  if (visitorAt === null) return [all];
  const share: Limit = [[`${what} network`, id, networkOf(visitorAt)], Math.ceil(perDay * NETWORK_SHARE), DAY];
  return [share, all];
}

/**
 * Whether another answer is within the limits of the chatbot. It is reserved in the transaction that stores the answer,
 * with its conversation locked: parallel messages cannot exceed a limit together, and a message that is not stored does
 * not count. Previews have no limits. The limit of a conversation counts questions, so a regenerated answer
 * (`isRepeated`) does not count against it.
 */
export async function reserveAnswer(
  tx: Tx,
  bot: OpenBot,
  { isPreview, userId, visitor, questions }: OwnedConversation,
  address: string,
  isRepeated = false,
): Promise<boolean> {
  if (isPreview) return true;
  const {
    id,
    settings: { limits },
  } = bot;
  if (!isRepeated && questions >= limits.perConversation) return false;
  return reserveAll(tx, [
    [["chat person", id, userId ?? visitor ?? ""], limits.perPerson, DAY],
    [["chat address", id, networkOf(address)], limits.perAddress, TEN_MINUTES],
    ...dailyLimits("chat day", bot, userId ? null : address),
  ]);
}

/** Conversations that visitors of one network may start with a chatbot in ten minutes. */
const STARTS_PER_ADDRESS = 60;

/** Throws 429 if visitors of a network start too many conversations. */
export async function limitVisitor(db: Db, chatbotId: string, address: string) {
  const isAllowed = await reserve(db, ["chat start", chatbotId, networkOf(address)], STARTS_PER_ADDRESS, TEN_MINUTES);
  if (!isAllowed) throw new Problem(429, "core.tooMany", { values: { seconds: TEN_MINUTES } });
}

/**
 * Maximum alerts caused by one person, or by the visitors of one network, in ten minutes: few enough not to flood the
 * reader.
 */
const MAX_ALERTS = 20;

/**
 * Whether to alert a person of a message about self-harm: once per conversation in ten minutes, because they read the
 * whole conversation.
 */
export const mayAlert = async (tx: Tx, { id }: OpenBot, { isPreview, ...chat }: OwnedConversation, address: string) =>
  !isPreview &&
  reserveAll(tx, [
    [["chat alert", chat.id], 1, TEN_MINUTES],
    [["chat alerts", id, chat.userId ?? networkOf(address)], MAX_ALERTS, TEN_MINUTES],
  ]);

/**
 * Messages about self-harm that are answered regardless of other limits, per conversation and per network in ten
 * minutes.
 */
const FREE_CARE = { conversation: 30, network: 100 };

/** Whether a message about self-harm may be answered without a proof of work. */
export const reserveCare = (tx: Tx, { id }: OwnedConversation, address: string) =>
  reserveAll(tx, [
    [["chat care", id], FREE_CARE.conversation, TEN_MINUTES],
    [["chat care", networkOf(address)], FREE_CARE.network, TEN_MINUTES],
  ]);

/**
 * Daily messages of the visitors of one network, to all chatbots together, before each further one requires a proof of
 * work.
 */
const FREE_MESSAGES = 10;
/** Maximum number that a browser has to try: about 0.3 s on a laptop, 1 s on a phone. */
const MAX_NUMBER = 300_000;

/**
 * Requires a proof of work from visitors after a few daily messages of their network, so that mass messages are
 * expensive. Throws 429 with a challenge; a solution is accepted once, in the conversation for which it was issued.
 */
export async function checkVisitorWork(
  { config }: Pick<Services, "config">,
  tx: Tx,
  { id, visitor }: OwnedConversation,
  address: string,
  solution: string | undefined,
) {
  if (!visitor || (await reserve(tx, ["chat free", networkOf(address)], FREE_MESSAGES, DAY))) return;
  const purpose = `chat ${id}`;
  if (await consumeSolution({ config, db: tx }, purpose, solution)) return;
  const challenge = await newChallenge({ config }, purpose, MAX_NUMBER);
  throw new Problem(429, "conversations.proofOfWorkRequired", { details: { challenge } });
}
