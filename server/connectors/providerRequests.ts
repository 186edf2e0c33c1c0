import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { failureOf, refusalOf } from "#server/connectors/refusals.ts";
import { readServerSentEvents } from "#server/connectors/serverSentEvents.ts";
import { anthropic } from "#server/connectors/protocols/anthropic.ts";
import { google } from "#server/connectors/protocols/google.ts";
import { openai } from "#server/connectors/protocols/openai.ts";
import type {
  Endpoint,
  HttpRequest,
  ModelEvent,
  ModelRequest,
  Protocol,
} from "#server/connectors/protocols/protocol.ts";
import { isRefusedAddress } from "#server/core/outgoing/guardedFetch.ts";
import type { ConnectorKind } from "#shared/connectors/connectors.ts";

// Requests to providers. Their error messages never leave this file, because they may repeat the key.

const protocols: Partial<Record<ConnectorKind, Protocol>> = { openai, azure: openai, anthropic, google };

export function protocolOf(kind: ConnectorKind): Protocol {
  const protocol = protocols[kind];
  if (!protocol) throw new GatewayError("unsupported");
  return protocol;
}

type Limits = { firstTokenTimeoutMs: number; totalTimeoutMs: number; signal?: AbortSignal | undefined };

const MAX_REPLY_BYTES = 64 * 1024 ** 2;

/**
 * Streams one answer. Ends normally only after a `finish`; everything else is a `GatewayError`: a refused key, a broken
 * stream, a reply that violates the protocol. An abort of `signal` is rethrown. Ending the iteration early cancels the
 * call at the provider.
 */
export async function* streamModel(
  ctx: GatewayContext,
  endpoint: Endpoint,
  request: ModelRequest,
  { firstTokenTimeoutMs, totalTimeoutMs, signal }: Limits,
): AsyncGenerator<ModelEvent> {
  const protocol = protocolOf(endpoint.kind);
  const local = new AbortController();
  const abort = () => local.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    local.abort();
  }, firstTokenTimeoutMs);
  let isFinished = false;
  try {
    const reply = await send(ctx, protocol.stream(endpoint, request), totalTimeoutMs, local.signal);
    if (!/^text\/event-stream\b/.test(reply.headers.get("content-type") ?? "")) throw new GatewayError("bad_reply");
    for await (const data of readServerSentEvents(reply)) {
      if (data === "[DONE]") break;
      for (const event of protocol.read(parseJson(data))) {
        if (event.type === "failure") throw failureOf(event.text ?? "");
        if (event.type === "text" || event.type === "tool") clearTimeout(timer);
        if (event.type === "finish") isFinished = true;
        if (event.type === "text" && event.isInput && !request.schema) continue;
        yield event;
      }
    }
    if (!isFinished) throw new GatewayError("truncated");
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (isLate) throw new GatewayError("timeout");
    throw asGatewayError(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    local.abort();
  }
}

/** One request with a JSON reply. */
export async function callProvider(
  ctx: GatewayContext,
  request: HttpRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    const reply = await send(ctx, request, timeoutMs, signal);
    return parseJson(await reply.text());
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw asGatewayError(error);
  }
}

/** Encodes a form as bytes, with the header that names its boundary. */
async function encodeForm(form: FormData) {
  const encoded = new Response(form);
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    type: { "content-type": encoded.headers.get("content-type") ?? "" },
  };
}

/** The reply of a provider; every status but 2xx is thrown as a `GatewayError`. */
async function send(
  ctx: GatewayContext,
  { url, method, headers, body, form }: HttpRequest,
  timeoutMs: number,
  signal?: AbortSignal,
  maxBytes = MAX_REPLY_BYTES,
) {
  const encoded = form && (await encodeForm(form));
  const reply = await ctx.fetch(url, {
    method,
    headers: { ...headers, ...encoded?.type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(encoded && { body: encoded.body }),
    ...(signal && { signal }),
    timeoutMs,
    maxBytes,
  });
  if (reply.ok) return reply;
  throw await refusalOf(reply);
}

const MAX_AUDIO_BYTES = 16 * 1024 ** 2;

/**
 * Streams audio as it arrives. Throws a `GatewayError` if the reply is not audio, is empty or breaks off; an abort of
 * `signal` is rethrown. Ending the iteration early ends the call at the provider.
 */
export async function* streamAudio(
  ctx: GatewayContext,
  request: HttpRequest,
  { firstTokenTimeoutMs, totalTimeoutMs, signal }: Limits,
): AsyncGenerator<Uint8Array> {
  const local = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    local.abort();
  }, firstTokenTimeoutMs);
  const either = signal ? AbortSignal.any([signal, local.signal]) : local.signal;
  let isEmpty = true;
  try {
    const reply = await send(ctx, request, totalTimeoutMs, either, MAX_AUDIO_BYTES);
    if (!/^audio\/|^application\/octet-stream\b/.test(reply.headers.get("content-type") ?? ""))
      throw new GatewayError("bad_reply");
    if (reply.body)
      for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>) {
        clearTimeout(timer);
        isEmpty = false;
        yield bytes;
      }
    if (isEmpty) throw new GatewayError("bad_reply");
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (isLate) throw new GatewayError("timeout");
    throw asGatewayError(error);
  } finally {
    clearTimeout(timer);
    local.abort();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError("bad_reply");
  }
}

function asGatewayError(error: unknown) {
  if (error instanceof GatewayError) return error;
  if (isRefusedAddress(error)) return new GatewayError("blocked_address");
  if (error instanceof Error && error.name === "TimeoutError") return new GatewayError("timeout");
  // Distinguishes a response that broke off from a missing connection.
  const isBroken = error instanceof Error && /terminated|aborted|other side closed/i.test(error.message);
  return new GatewayError(isBroken ? "truncated" : "provider_down");
}
