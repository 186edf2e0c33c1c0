import type { OpenBot } from "#server/chatbots/botAccess.ts";
import type { Owner } from "#server/conversations/owners.ts";
import { dailyLimits } from "#server/conversations/limits.ts";
import type { Db } from "#server/core/database/db.ts";
import { networkOf } from "#server/core/limits/network.ts";
import { Problem } from "#server/core/http/problem.ts";
import { reserveAll } from "#server/core/limits/throttle.ts";

const TEN_MINUTES = 600;
const DAY = 86_400;
/** Assumed number of sentences per answer: speech is requested sentence by sentence. */
const SENTENCES = 40;

/**
 * Throws 429, with the limit text of the chatbot, beyond the number of recordings, which is limited like messages but
 * counted separately.
 */
export const reserveRecording = (db: Db, bot: OpenBot, owner: Owner, address: string) =>
  reserveVoice(db, bot, owner, address, "recording", 1);

/** Throws 429 beyond the number of sentences in the allowed number of answers. */
export const reserveSpeech = (db: Db, bot: OpenBot, owner: Owner, address: string) =>
  reserveVoice(db, bot, owner, address, "speech", SENTENCES);

/** Concurrent recordings in memory, per person and per server; at most 4 MB each. */
const AT_ONCE = { person: 4, server: 32 };
const running = new Map<string, number>();
let total = 0;

/**
 * Throws 429 if too many recordings are being received or transcribed. Returns a function that the caller must run at
 * the end; it may run more than once.
 */
export function enterRecording({ user, visitor }: Owner): () => void {
  const { id } = user ?? visitor;
  const own = running.get(id) ?? 0;
  if (own >= AT_ONCE.person || total >= AT_ONCE.server)
    throw new Problem(429, "core.tooMany", { values: { seconds: 5 } });
  running.set(id, own + 1);
  total++;
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    total--;
    const left = (running.get(id) ?? 1) - 1;
    if (left > 0) running.set(id, left);
    else running.delete(id);
  };
}

async function reserveVoice(
  db: Db,
  bot: OpenBot,
  { user, visitor }: Owner,
  address: string,
  what: string,
  times: number,
) {
  const {
    id,
    settings: { limits },
  } = bot;
  const isWithin = await reserveAll(db, [
    [[`voice ${what} person`, id, (user ?? visitor).id], limits.perPerson * times, DAY],
    [[`voice ${what} address`, id, networkOf(address)], limits.perAddress * times, TEN_MINUTES],
    ...dailyLimits(`voice ${what} day`, bot, user ? null : address, times),
  ]);
  if (!isWithin)
    throw new Problem(429, "conversations.voiceLimit", { ...(limits.text && { details: { text: limits.text } }) });
}
