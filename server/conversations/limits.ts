import { type OpenBot } from "#server/chatbots/botAccess.ts";
import type { Db } from "#server/core/db.ts";
import { Problem } from "#server/core/problem.ts";
import { networkOf } from "#server/core/network.ts";
import { giveBack, reserve } from "#server/core/throttle.ts";
import type { OwnedConversation } from "#server/conversations/owners.ts";

const TEN_MINUTES = 600;
const DAY = 86_400;

/**
 * Whether a further message is within the limits of the chatbot. Every limit is reserved in one statement of its own, so that parallel
 * messages cannot pass it together. Previews have none.
 */
export async function isWithinLimits(
  db: Db,
  { id, settings: { limits } }: OpenBot,
  { isPreview, userId, visitor, questions }: OwnedConversation,
  address: string,
): Promise<boolean> {
  if (isPreview) return true;
  if (questions >= limits.perConversation) return false;
  const [byAddress, byPerson, byDay] = keysOf(id, userId ?? visitor ?? "", address);
  return (
    (await reserve(db, byAddress, limits.perAddress, TEN_MINUTES)) &&
    (await reserve(db, byPerson, limits.perPerson, DAY)) &&
    (await reserve(db, byDay, limits.perDay, DAY))
  );
}

const keysOf = (id: string, person: string, address: string): [address: string[], person: string[], day: string[]] => [
  ["chat address", id, networkOf(address)],
  ["chat person", id, person],
  ["chat day", id],
];

/** Conversations that visitors of one network may start with a chatbot in ten minutes. */
const STARTS_PER_ADDRESS = 60;

/** Throws 429 if a network starts too many conversations without an account. */
export async function limitVisitor(db: Db, chatbotId: string, address: string) {
  const isAllowed = await reserve(db, ["chat start", chatbotId, networkOf(address)], STARTS_PER_ADDRESS, TEN_MINUTES);
  if (!isAllowed) throw new Problem(429, "core.tooMany", { values: { seconds: TEN_MINUTES } });
}

/** Takes back what was reserved for a message that was not stored. */
export async function returnReserved(
  db: Db,
  { id }: OpenBot,
  { isPreview, userId, visitor }: OwnedConversation,
  address: string,
) {
  if (isPreview) return;
  for (const key of keysOf(id, userId ?? visitor ?? "", address)) await giveBack(db, key);
}
