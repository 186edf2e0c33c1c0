import { ApiError, isCode, networkError, sendRequest, toApiError, urlOf } from "#web/core/api/http.ts";
import { solveChallenge } from "#web/core/api/proofOfWork.ts";
import { awaitLogin } from "#web/core/session/loginPrompt.ts";
import { readJson, tabStorage } from "#web/core/session/storage.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";
import type { Challenge } from "#shared/auth.ts";
import { conversations, VISITOR_HEADER } from "#shared/conversations.ts";
import type { Contract, Reply, Sent } from "#shared/route.ts";

type Visit = Reply<typeof conversations.visit>;
type Credentials = { token?: string; headers?: Record<string, string> };

/** A new token is fetched this long before the old one expires, so that no message meets an expired one, in ms. */
const MARGIN_MS = 60_000;

/** What was sent, with the proof of work that the server asks of visitors for it. The error stays if this browser cannot work it out. */
async function proved<S>(sent: S, error: ApiError): Promise<S> {
  const proofOfWork = await solveChallenge(error.details.challenge as Challenge).catch(() => {
    throw error;
  });
  return { ...sent, body: { ...(sent as { body: object }).body, proofOfWork } };
}

/**
 * Calls as the signed-in person, or as a visitor of one chatbot. The visitor's token stays in this tab, in memory where the browser blocks
 * storage.
 */
export function createChatClient(chatbotId: string, isVisitor: boolean) {
  const key = `chatVisit.${chatbotId}`;
  let opening: Promise<Visit> | null = null;

  async function openVisit() {
    const stored = readJson(key, tabStorage) as Visit | null;
    if (stored && Date.parse(stored.expiresAt) - Date.now() > MARGIN_MS) return stored;
    opening ??= sendRequest(conversations.visit, { body: { chatbotId } }).finally(() => {
      opening = null;
    });
    const visit = await opening;
    tabStorage.set(key, JSON.stringify(visit));
    return visit;
  }
  async function credentials(): Promise<Credentials> {
    if (isVisitor) return { headers: { [VISITOR_HEADER]: (await openVisit()).token } };
    const token = await usableToken();
    return token ? { token } : {};
  }
  /** What to send after a 401; null if the person stays signed out. */
  async function renewed({ token }: Credentials): Promise<Credentials | null> {
    if (isVisitor) {
      tabStorage.remove(key);
      return null;
    }
    const next = token ? await tokenAfterRejection(token) : null;
    if (next) return { token: next };
    return (await awaitLogin()) ? credentials() : null;
  }
  async function call<C extends Contract>(contract: C, sent: Sent<C>): Promise<Reply<C>> {
    const known = await credentials();
    try {
      return await sendRequest(contract, sent, known);
    } catch (error) {
      if (isCode(error, "conversations.proofOfWorkRequired"))
        return sendRequest(contract, await proved(sent, error), known);
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const next = await renewed(known);
      if (!next) throw error;
      return sendRequest(contract, sent, next);
    }
  }
  /** The body of an answer's stream, as text. */
  async function openStream(turnId: string, from: number, signal: AbortSignal) {
    const { token, headers } = await credentials();
    const url = urlOf(conversations.stream, { params: { id: turnId }, query: { from } });
    const response = await fetch(url, {
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      signal,
      cache: "no-store",
    }).catch((error: unknown) => {
      throw signal.aborted ? error : networkError();
    });
    if (!response.ok || !response.body) throw toApiError(response.status, await response.json().catch(() => null));
    return response.body.pipeThrough(new TextDecoderStream()).getReader();
  }
  return {
    call,
    openStream,
    /** Whether there can be earlier conversations. */
    isKnown: () => !isVisitor || tabStorage.get(key) !== null,
  };
}
export type ChatClient = ReturnType<typeof createChatClient>;
