import { costOf, settle } from "#server/connectors/budgets.ts";
import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { enter, hasFailed, recordFailure, recordSuccess } from "#server/connectors/circuit.ts";
import { protocolOf, streamAudio } from "#server/connectors/providerRequests.ts";
import { type AudioCall, openAudioCall, reserveAudio } from "#server/connectors/voice/audioCalls.ts";

export type SpeakCall = AudioCall & {
  text: string;
  /** Empty: the first voice of the model. */
  voice: string;
  /** 1: normal speed. */
  speed: number;
};

/** The voice for models without named voices; available from OpenAI since the beginning. */
const USUAL_VOICE = "alloy";

/**
 * Speaks a text as MP3, streamed as it arrives. Throws a `GatewayError`. Closing the stream cancels the call at the
 * provider; once the first bytes have arrived, the whole text is billed, as providers do.
 */
export async function* speak(ctx: GatewayContext, call: SpeakCall): AsyncGenerator<Uint8Array> {
  const opened = await openAudioCall(ctx, call, "speech");
  const { connector, model, endpoint } = opened;
  const protocol = protocolOf(connector.kind);
  if (!protocol.speak) throw new GatewayError("unsupported");
  const voice = call.voice || (model.voices ?? [])[0] || USUAL_VOICE;
  const leave = await enter(ctx.db, connector, call.isTest ?? false);
  const started = performance.now();
  const characters = [...call.text].length;
  let usageId: string | null = null;
  let firstTokenMs: number | null = null;
  let price: Awaited<ReturnType<typeof reserveAudio>>["price"] = null;
  const finish = async (status: "done" | "stopped" | "cut" | "failed", code: GatewayError["code"] | null = null) => {
    if (usageId === null) return;
    const id = usageId;
    usageId = null;
    const isFree = status === "failed";
    const costMicros = isFree ? price && 0 : costOf(price, characters, 0);
    const totalMs = Math.round(performance.now() - started);
    const counted = { inputTokens: characters, outputTokens: 0, isEstimated: false, firstTokenMs, totalMs };
    await settle(ctx, id, { status, code, ...counted, costMicros });
  };
  try {
    ({ usageId, price } = await reserveAudio(ctx, opened, { ...call, purpose: "speech" }, characters));
    const request = protocol.speak(endpoint, { model: model.id, voice, speed: call.speed, text: call.text });
    const { firstTokenTimeoutMs, totalTimeoutMs } = connector;
    for await (const bytes of streamAudio(ctx, request, {
      firstTokenTimeoutMs,
      totalTimeoutMs,
      signal: call.signal,
    })) {
      firstTokenMs ??= Math.round(performance.now() - started);
      yield bytes;
    }
    await finish("done");
    if (hasFailed(connector)) await recordSuccess(ctx.db, connector.id);
  } catch (error) {
    if (call.signal?.aborted) await finish("stopped");
    else if (error instanceof GatewayError) {
      if (usageId !== null) await recordFailure(ctx, connector, error);
      await finish(firstTokenMs === null ? "failed" : "cut", error.code);
    }
    throw error;
  } finally {
    await finish("stopped");
    leave();
  }
}
