import { GatewayError } from "#server/connectors/gatewayCall.ts";
import { readAudio } from "#server/connectors/voice/audioFormat.ts";
import { speak } from "#server/connectors/voice/speak.ts";
import { transcribe } from "#server/connectors/voice/transcribe.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { ConnectorErrorCode } from "#shared/connectors/connectors.ts";
import type { User } from "#shared/core/users.ts";

const RATE = 16_000;
const HEADER_BYTES = 44;

/** A second of a quiet tone of 440 Hz as WAV, 16 bit, one channel. */
export function makeTone(seconds = 1): Uint8Array {
  const samples = RATE * seconds;
  const wav = Buffer.alloc(HEADER_BYTES + samples * 2);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++)
    wav.writeInt16LE(Math.round(3000 * Math.sin((2 * Math.PI * 440 * at) / RATE)), HEADER_BYTES + at * 2);
  return wav;
}

const callOf = (ctx: Ctx<User>, connectorId: string) =>
  ({ connectorId, model: null, companyId: null, userId: ctx.user.id, isTest: true }) as const;

async function codeOf(tried: () => Promise<unknown>): Promise<ConnectorErrorCode | null> {
  try {
    await tried();
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

/** Why speech or transcription of a connector fails; null if it works. The transcript of the tone does not matter. */
export const tryVoice = {
  transcription: (ctx: Ctx<User>, id: string) =>
    codeOf(async () => {
      const bytes = makeTone();
      const audio = readAudio(bytes);
      if (audio) await transcribe(ctx, { ...callOf(ctx, id), bytes, audio, language: null });
    }),
  speech: (ctx: Ctx<User>, id: string) =>
    codeOf(async () => {
      for await (const _ of speak(ctx, { ...callOf(ctx, id), text: "Hello", voice: "", speed: 1 }));
    }),
};
