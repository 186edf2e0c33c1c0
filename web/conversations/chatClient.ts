import { ApiError, isCode, networkError, sendRequest, toApiError, urlOf } from "#web/core/http/http.ts";
import { solveChallenge } from "#web/core/api/proofOfWork.ts";
import { awaitLogin } from "#web/core/session/loginPrompt.ts";
import { readJson, tabStorage } from "#web/core/storage/storage.ts";
import { tokenAfterRejection, usableToken } from "#web/core/session/token.ts";
import type { Challenge } from "#shared/auth/auth.ts";
import {
  conversations,
  MAX_SPOKEN_CHARS,
  speechPath,
  transcriptionPath,
  VISITOR_HEADER,
} from "#shared/conversations/conversations.ts";
import type { Contract, Reply, Sent } from "#shared/core/route.ts";

type Visit = Reply<typeof conversations.visit>;
type Place = { chatbotId: string; courseId: string | null; isPreview: boolean; isVisitor: boolean };
type Credentials = { token?: string; headers?: Record<string, string> };

/** A token is renewed this long before it expires, so that no message is sent with an expired one, in ms. */
const MARGIN_MS = 60_000;

/**
 * Adds the proof of work that the server requires of visitors. Throws the original error if this browser cannot compute
 * it.
 */
async function proved<S>(sent: S, error: ApiError): Promise<S> {
  const proofOfWork = await solveChallenge(error.details.challenge as Challenge).catch(() => {
    throw error;
  });
  return { ...sent, body: { ...(sent as { body: object }).body, proofOfWork } };
}

/**
 * Calls as the signed-in person, or as a visitor of one chatbot. The visitor's token is stored in this tab, or in
 * memory if the browser blocks storage.
 */
export function createChatClient({ chatbotId, courseId, isPreview, isVisitor }: Place) {
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
  /** New credentials after a 401; null if the person remains signed out. */
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
    const current = await credentials();
    try {
      return await sendRequest(contract, sent, current);
    } catch (error) {
      if (isCode(error, "conversations.proofOfWorkRequired"))
        return sendRequest(contract, await proved(sent, error), current);
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      const next = await renewed(current);
      if (!next) throw error;
      return sendRequest(contract, sent, next);
    }
  }
  /** Opens the event stream of an answer, as text. */
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
  /** Sends a request whose body or reply is not JSON. */
  async function post(url: string, signal: AbortSignal, body?: Blob): Promise<Response> {
    const send = ({ token, headers }: Credentials) =>
      fetch(url, {
        method: "POST",
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        signal,
        ...(body && { body }),
      }).catch((error: unknown) => {
        throw signal.aborted ? error : networkError();
      });
    const known = await credentials();
    const first = await send(known);
    const next = first.status === 401 ? await renewed(known) : null;
    const response = next ? await send(next) : first;
    if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null));
    return response;
  }
  /** Transcribes a recording. */
  async function transcribe(recording: Blob, signal: AbortSignal): Promise<string> {
    const language = navigator.language.slice(0, 2).toLowerCase();
    const query = new URLSearchParams({
      ...(courseId && { courseId }),
      ...(isPreview && { preview: "yes" }),
      ...(/^[a-z]{2}$/.test(language) && { language }),
    });
    const response = await post(`${transcriptionPath(chatbotId)}?${query}`, signal, recording);
    return ((await response.json()) as { text: string }).text;
  }
  /** Loads the speech of a part of an answer. */
  async function loadSpeech(turnId: string, { from, to }: { from: number; to: number }, signal: AbortSignal) {
    const end = Math.min(to, from + MAX_SPOKEN_CHARS);
    return (await post(`${speechPath(turnId)}?from=${from}&to=${end}`, signal)).arrayBuffer();
  }
  return {
    call,
    openStream,
    transcribe,
    loadSpeech,
    /** Whether there can be earlier conversations. */
    isKnown: () => !isVisitor || tabStorage.get(key) !== null,
  };
}
export type ChatClient = ReturnType<typeof createChatClient>;
