import { decision, resetDecision } from "#web/core/session/consent.ts";
import { sendRequest, isStatus } from "#web/core/api/http.ts";
import { readJson, storage } from "#web/core/session/storage.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";
import { CONSENT_HEADERS, CONSENT_SENT_KEY, consents } from "#shared/consent.ts";

/** Whose decision this is and whether the server has it: absent for one that was made before signing in. */
type Sent = { userId: string; decidedAt: string; done: boolean };
const read = () => readJson(CONSENT_SENT_KEY) as Sent | null;
const write = (sent: Sent) => storage.set(CONSENT_SENT_KEY, JSON.stringify(sent));

/** Marks the decision as this person's before it is sent, so that a lost answer is made up for. */
export const claimDecision = (userId: string, decidedAt: string) => write({ userId, decidedAt, done: false });

/** A guest's decision belongs to nobody yet. */
export const freeDecision = () => storage.remove(CONSENT_SENT_KEY);

let running: Promise<void> | null = null;

/**
 * Sends the decision of this browser once for the person who is signed in. What somebody else decided here is not theirs:
 * they are asked themselves.
 */
export function sendDecision(userId: string): Promise<void> {
  running ??= send(userId).finally(() => {
    running = null;
  });
  return running;
}

async function send(userId: string) {
  const made = decision.get();
  if (!made) return;
  const sent = read();
  if (sent && sent.userId !== userId) {
    storage.remove(CONSENT_SENT_KEY);
    return resetDecision();
  }
  const decidedAt = made.meta?.decidedAt ?? new Date().toISOString();
  if (sent?.done && (!made.meta || sent.decidedAt === decidedAt)) return;
  const token = await usableToken();
  if (!token) return;
  const { status, preferences, meta } = made;
  const headers = {
    [CONSENT_HEADERS.decidedAt]: decidedAt,
    [CONSENT_HEADERS.via]: sent ? (meta?.via ?? "banner") : "sync",
    ...(meta && { [CONSENT_HEADERS.id]: meta.id, [CONSENT_HEADERS.text]: meta.textHash }),
    ...(meta?.gpc && { [CONSENT_HEADERS.gpc]: "1" }),
  };
  const post = (bearer: string) =>
    sendRequest(consents.record, { body: { status, preferences } }, { token: bearer, headers });
  try {
    await post(token);
  } catch (error) {
    const fresh = isStatus(error, 401) ? await tokenAfterRejection(token) : null;
    if (!fresh) throw error;
    await post(fresh);
  }
  write({ userId, decidedAt, done: true });
}
