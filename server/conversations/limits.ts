import { type OpenBot } from "#server/chatbots/botAccess.ts";
import type { Db, Tx } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import { networkOf } from "#server/core/network.ts";
import { reserve } from "#server/core/throttle.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";

const TEN_MINUTES = 600;
const DAY = 86_400;

/**
 * Whether a further answer is within the limits of the chatbot. It is reserved in the transaction that stores the answer, with its
 * conversation locked: parallel messages cannot pass a limit together, and a message that is not stored does not count. Previews have no
 * limits. The limit of a conversation counts questions, so `isRepeated`, an answer that is written again, does not count against it.
 */
export async function reserveAnswer(
  tx: Tx,
  { id, settings: { limits } }: OpenBot,
  { isPreview, userId, visitor, questions }: OwnedConversation,
  address: string,
  isRepeated = false,
): Promise<boolean> {
  if (isPreview) return true;
  if (!isRepeated && questions >= limits.perConversation) return false;
  return (
    (await reserve(tx, ["chat address", id, networkOf(address)], limits.perAddress, TEN_MINUTES)) &&
    (await reserve(tx, ["chat person", id, userId ?? visitor ?? ""], limits.perPerson, DAY)) &&
    (await reserve(tx, ["chat day", id], limits.perDay, DAY))
  );
}

/** Conversations that visitors of one network may start with a chatbot in ten minutes. */
const STARTS_PER_ADDRESS = 60;

/** Throws 429 if a network starts too many conversations without an account. */
export async function limitVisitor(db: Db, chatbotId: string, address: string) {
  const isAllowed = await reserve(db, ["chat start", chatbotId, networkOf(address)], STARTS_PER_ADDRESS, TEN_MINUTES);
  if (!isAllowed) throw new Problem(429, "core.tooMany", { values: { seconds: TEN_MINUTES } });
}

/** Alerts of one network with a chatbot in ten minutes: more than a class of learners needs, too few to flood a person. */
const ALERTS_PER_ADDRESS = 20;

/** Whether a person is told of a message about self-harm: once per conversation in ten minutes, because they read it as a whole. */
export const mayAlert = async (tx: Tx, { id }: OpenBot, conversation: OwnedConversation, address: string) =>
  !conversation.isPreview &&
  (await reserve(tx, ["chat alert", conversation.id], 1, TEN_MINUTES)) &&
  (await reserve(tx, ["chat alerts", id, networkOf(address)], ALERTS_PER_ADDRESS, TEN_MINUTES));
