import { setTimeout as sleep } from "node:timers/promises";
import { type OpenBot, readDraft, readOpenBot } from "#server/chatbots/botAccess.ts";
import { GatewayError } from "#server/connectors/gatewayCall.ts";
import { readAudio } from "#server/connectors/voice/audioFormat.ts";
import { speak } from "#server/connectors/voice/speak.ts";
import { transcribe } from "#server/connectors/voice/transcribe.ts";
import { writersOf } from "#server/conversations/answerWriter.ts";
import { type Owner, readBotOf } from "#server/conversations/owners.ts";
import { readOwnTurn } from "#server/conversations/service.ts";
import { readTurn } from "#server/conversations/turnRows.ts";
import { reserveRecording, reserveSpeech } from "#server/conversations/voice/voiceLimits.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, notFound, Problem } from "#server/core/http/problem.ts";
import {
  isOpenState,
  MAX_RECORDING_SECONDS,
  type speechQuery,
  type voiceQuery,
} from "#shared/conversations/conversations.ts";
import { spokenText } from "#shared/core/sentences.ts";
import type { z } from "zod";

// Recordings and speech are only in memory while they are passed on.

type VoiceQuery = z.output<typeof voiceQuery>;

/** Tolerance for microphones that stop a moment after the limit. */
const TOLERANCE_SECONDS = 1;

/** Checks that the caller may speak to the chatbot; throws 404 otherwise. */
function checkVoice(bot: OpenBot, { user }: Owner): OpenBot {
  const { isOn, forVisitors } = bot.settings.voice;
  if (!isOn || (!user && !(forVisitors && bot.settings.access === "public"))) throw notFound();
  return bot;
}

/** Reserves a recording for a chatbot, before the recording itself is read. */
export async function openRecording(
  ctx: Ctx,
  owner: Owner,
  chatbotId: string,
  { courseId, preview }: VoiceQuery,
  address: string,
): Promise<OpenBot> {
  if (owner.visitor && owner.visitor.chatbotId !== chatbotId) throw notFound();
  const isPreview = preview !== undefined;
  const found = isPreview
    ? await readDraft({ ...ctx, user: owner.user }, chatbotId)
    : await readOpenBot(ctx.db, chatbotId, { user: owner.user, courseId: courseId ?? null });
  const bot = checkVoice(found, owner);
  if (!isPreview) await reserveRecording(ctx.db, bot, owner, address);
  return bot;
}

/**
 * Transcribes a recording. Throws 415 for an unsupported format, 413 for a recording that is too long, 502 if the
 * provider fails.
 */
export async function writeDown(
  ctx: Ctx,
  owner: Owner,
  { id, settings }: OpenBot,
  { bytes, language = null, signal }: { bytes: Uint8Array; language?: string | null; signal: AbortSignal },
): Promise<string> {
  const audio = readAudio(bytes);
  if (!audio) throw new Problem(415, "conversations.voiceFormat");
  if ((audio.seconds ?? 0) > MAX_RECORDING_SECONDS + TOLERANCE_SECONDS)
    throw new Problem(413, "conversations.voiceTooLong", { values: { seconds: MAX_RECORDING_SECONDS } });
  const model = settings.voice.transcriptionModel;
  const call = { ...callerOf(owner, id), connectorId: settings.connectorId, model, bytes, audio, language, signal };
  try {
    return await transcribe(ctx, call);
  } catch (error) {
    // The caller is gone, and nothing has failed.
    if (signal.aborted) throw new Problem(409, "conversations.voiceDown");
    throw await asProblem(ctx, error);
  }
}

const callerOf = ({ user, visitor }: Owner, chatbotId: string) => ({
  companyId: user?.companyId ?? null,
  userId: user?.id ?? null,
  visitorId: visitor?.id ?? null,
  chatbotId,
});

/** Maximum wait for a part of an answer that is still being written, in ms. */
const PATIENCE_MS = 3000;
const STEP_MS = 100;

/**
 * Part of one of the caller's answers as MP3. Returns after the first bytes have arrived, so that a failure is an error
 * instead of empty audio.
 */
export async function speakAnswer(
  ctx: Ctx,
  owner: Owner,
  turnId: string,
  { from, to }: z.output<typeof speechQuery>,
  { address, signal }: { address: string; signal: AbortSignal },
): Promise<AsyncGenerator<Uint8Array>> {
  const { turn, conversation } = await readOwnTurn(ctx, owner, turnId);
  const bot = checkVoice(await readBotOf(ctx, owner, conversation), owner);
  if (turn.role !== "assistant") throw notFound();
  if (!conversation.isPreview) await reserveSpeech(ctx.db, bot, owner, address);
  const text = spokenText((await readText(ctx, turnId, to)).slice(from, to)).trim();
  if (!/[\p{L}\p{N}]/u.test(text)) throw badField("from", "core.invalid");
  const { connectorId, voice } = bot.settings;
  const { name, speed, speechModel } = voice;
  const caller = callerOf(owner, bot.id);
  const audio = speak(ctx, { ...caller, connectorId, model: speechModel, text, voice: name, speed, signal });
  try {
    const first = await audio.next();
    return startWith(first, audio);
  } catch (error) {
    if (signal.aborted) throw new Problem(409, "conversations.voiceDown");
    throw await asProblem(ctx, error);
  }
}

async function* startWith(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>) {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** The text of an answer so far. Waits, because a browser on another node may be ahead of the stored text. */
async function readText(ctx: Ctx, turnId: string, length: number) {
  for (let waited = 0; ; waited += STEP_MS) {
    const turn = await readTurn(ctx.db, turnId);
    const text = writersOf(ctx).get(turnId)?.text() ?? turn.text;
    if (text.length >= length || !isOpenState(turn.state) || waited >= PATIENCE_MS) return text;
    await sleep(STEP_MS);
  }
}

/** The error for people after a failed call: never the provider's message. */
async function asProblem({ db }: Ctx, error: unknown) {
  if (!(error instanceof GatewayError)) return error;
  if (error.code !== "budget") return new Problem(502, "conversations.voiceDown");
  const { limitText } = await db.selectFrom("aiSettings").select("limitText").executeTakeFirstOrThrow();
  return new Problem(409, "conversations.voiceBudget", { details: { text: limitText } });
}
