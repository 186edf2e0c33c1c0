import { decision, resetDecision } from "#web/core/session/consentDecision.ts";
import { sendRequest, isStatus } from "#web/core/http/http.ts";
import { i18n } from "#web/core/i18n.ts";
import { readJson, storage } from "#web/core/storage/storage.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";
import { toast } from "#web/core/toast/toast.ts";
import { CONSENT_HEADERS, CONSENT_SENT_KEY, consents } from "#shared/consent/consent.ts";

/** The user of the decision and whether it is recorded on the server; absent for a decision made before signing in. */
type Sent = { userId: string; decidedAt: string; done: boolean };
const read = () => readJson(CONSENT_SENT_KEY) as Sent | null;
const write = (sent: Sent) => storage.set(CONSENT_SENT_KEY, JSON.stringify(sent));

/** Assigns the decision to a user before it is sent, so that it is sent again if the response is lost. */
export const assignDecision = (userId: string, decidedAt: string) => write({ userId, decidedAt, done: false });

/** Removes the assignment: a guest's decision belongs to no user yet. */
export const unassignDecision = () => storage.remove(CONSENT_SENT_KEY);

/** Says that a decision could not be recorded; it stays in this browser and is sent again later. */
export const showFailure = () => toast.failed(i18n.t("consent.failed"), { text: i18n.t("consent.failedText") });

let running: Promise<void> | null = null;

/**
 * Records this browser's decision on the server, once per signed-in user. A decision of another user in this browser is
 * discarded, and the user is asked.
 */
export function sendDecision(userId: string): Promise<void> {
  running ??= send(userId).finally(() => {
    running = null;
  });
  return running;
}

async function send(userId: string) {
  const current = decision.get();
  if (!current) return;
  const sent = read();
  if (sent && sent.userId !== userId) {
    storage.remove(CONSENT_SENT_KEY);
    return resetDecision();
  }
  const decidedAt = current.meta?.decidedAt ?? new Date().toISOString();
  if (sent?.done && (!current.meta || sent.decidedAt === decidedAt)) return;
  const token = await usableToken();
  if (!token) return;
  const { status, preferences, meta } = current;
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
    const newToken = isStatus(error, 401) ? await tokenAfterRejection(token) : null;
    if (!newToken) throw error;
    await post(newToken);
  }
  write({ userId, decidedAt, done: true });
}
