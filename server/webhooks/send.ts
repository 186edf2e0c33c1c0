import type { Services } from "#server/core/services.ts";
import { failureReason } from "#server/core/outgoing/failureReason.ts";
import { isRefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import { unseal } from "#server/core/secrets.ts";
import { signedHeaders } from "#server/webhooks/signature.ts";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const ANSWER_CHARS = 500;
export const SECRET_PURPOSE = "webhook secret";

export type Answer = { ok: boolean; status: number | null; answer: string; ms: number };
type Receiver = { id: string; url: string; secret: string };

/** Sends an event. Any 2xx is a success; redirects are not followed. `answer`: the start of the reply, or the error. */
export async function sendEvent(
  services: Pick<Services, "fetch" | "config">,
  { id, url, secret }: Receiver,
  eventId: string,
  body: string,
): Promise<Answer> {
  const startedAt = performance.now();
  const finish = (status: number | null, answer: string): Answer => ({
    ok: status !== null && status >= 200 && status < 300,
    status,
    answer: answer.slice(0, ANSWER_CHARS),
    ms: Math.round(performance.now() - startedAt),
  });
  const key = unseal(services.config.secret, SECRET_PURPOSE, secret, id);
  if (key === null) return finish(null, "The secret cannot be decrypted. Give the webhook a new one.");
  try {
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = signedHeaders(key, eventId, timestamp, body);
    const reply = await services.fetch(url, {
      method: "POST",
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    const text = await reply.text().catch(() => "");
    const location = reply.headers.get("location");
    return finish(reply.status, location ? `Redirects to ${location}; redirects are not followed.` : readable(text));
  } catch (error) {
    if (isRefusedAddress(error)) return finish(null, "The address is not a public HTTPS address.");
    const isTimeout = (error as Error).name === "TimeoutError";
    return finish(null, isTimeout ? "No answer within 10 seconds." : failureReason(error as Error));
  }
}

/** The start of a text, without control characters and lone surrogates, which PostgreSQL may refuse. */
const readable = (text: string) =>
  text
    .slice(0, ANSWER_CHARS)
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
