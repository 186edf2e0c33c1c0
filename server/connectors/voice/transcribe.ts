import { costOf, settle } from "#server/connectors/budgets.ts";
import { GatewayError, type GatewayContext } from "#server/connectors/gatewayCall.ts";
import { enter, hasFailed, recordFailure, recordSuccess } from "#server/connectors/circuit.ts";
import { callProvider, protocolOf } from "#server/connectors/providerRequests.ts";
import { type AudioCall, openAudioCall, reserveAudio } from "#server/connectors/voice/audioCalls.ts";
import type { ReadAudio } from "#server/connectors/voice/audioFormat.ts";

export type TranscribeCall = AudioCall & {
  bytes: Uint8Array;
  audio: ReadAudio;
  /** ISO 639-1, if it is known. */
  language: string | null;
};

/** Assumed length of a recording without a stated one, until the provider reports it, in seconds. */
export const MAX_SECONDS = 60;

/** Bytes per second of recordings from our pages (32 kbit/s), and of uncompressed 48 kHz stereo. */
const BYTES_PER_SECOND = { compressed: 4000, wav: 192_000 };

/**
 * Assumed seconds of a recording until the provider reports them: those of its container, but at least those of its
 * bytes at the rate of our own recordings, because a container can state anything.
 */
function secondsOf({ audio, bytes }: Pick<TranscribeCall, "audio" | "bytes">) {
  if (audio.seconds === null) return MAX_SECONDS;
  const rate = audio.extension === "wav" ? BYTES_PER_SECOND.wav : BYTES_PER_SECOND.compressed;
  return Math.max(1, Math.ceil(audio.seconds), Math.min(MAX_SECONDS, Math.ceil(bytes.length / rate)));
}

/** The text of a recording, empty if nobody speaks. Stores neither. Throws a `GatewayError`. */
export async function transcribe(ctx: GatewayContext, call: TranscribeCall): Promise<string> {
  const opened = await openAudioCall(ctx, call, "transcription");
  const { connector, model, endpoint } = opened;
  const protocol = protocolOf(connector.kind);
  if (!protocol.transcribe) throw new GatewayError("unsupported");
  const leave = await enter(ctx.db, connector, call.isTest ?? false);
  try {
    const reserved = secondsOf(call);
    const { usageId, price } = await reserveAudio(ctx, opened, { ...call, purpose: "transcription" }, reserved);
    const started = performance.now();
    try {
      const request = protocol.transcribe(endpoint, model.id, { ...call.audio, ...call });
      const transcription = protocol.readTranscription(
        await callProvider(ctx, request, connector.totalTimeoutMs, call.signal),
      );
      if (!transcription) throw new GatewayError("bad_reply");
      const seconds = transcription.seconds === null ? reserved : Math.ceil(transcription.seconds);
      const totalMs = Math.round(performance.now() - started);
      const settled = { inputTokens: seconds, outputTokens: 0, isEstimated: transcription.seconds === null, totalMs };
      await settle(ctx, usageId, { status: "done", ...settled, costMicros: costOf(price, seconds, 0) });
      if (hasFailed(connector)) await recordSuccess(ctx.db, connector.id);
      return transcription.text.trim();
    } catch (error) {
      const code = error instanceof GatewayError ? error.code : null;
      const isStopped = call.signal?.aborted ?? false;
      // The provider may have transcribed a cancelled recording.
      const costMicros = isStopped ? costOf(price, reserved, 0) : price && 0;
      const counted = { inputTokens: reserved, outputTokens: 0, isEstimated: true, costMicros };
      await settle(ctx, usageId, { status: isStopped ? "stopped" : "failed", code, ...counted });
      if (error instanceof GatewayError) await recordFailure(ctx, connector, error);
      throw error;
    }
  } finally {
    leave();
  }
}
