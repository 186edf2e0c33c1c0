import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { OpenBot } from "#server/chatbots/botAccess.ts";
import { type Owner, ownerOf } from "#server/conversations/owners.ts";
import { openRecording, speakAnswer, writeDown } from "#server/conversations/voice/voice.ts";
import { enterRecording } from "#server/conversations/voice/voiceLimits.ts";
import type { Ctx } from "#server/core/http/http.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import {
  MAX_RECORDING_BYTES,
  speechPath,
  speechQuery,
  transcriptionPath,
  voiceQuery,
} from "#shared/conversations/conversations.ts";
import type { User } from "#shared/core/users.ts";

type Verify = (authorization: string | undefined) => Promise<User | null>;
type Opened = { ctx: Ctx; owner: Owner; bot: OpenBot; query: z.output<typeof voiceQuery>; signal: AbortSignal };

/** Routes with audio as body or reply: transcription of recordings, and speech of answers. Neither is stored. */
export function voiceRawRoutes(app: FastifyInstance, services: Services, verify: Verify, limitGuest: GuestLimit) {
  const callerOf = async (request: FastifyRequest) => {
    const user = await verify(request.headers.authorization);
    const ctx: Ctx = { ...services, log: request.log as Services["log"], user };
    if (!user) await limitGuest.countWrite(request);
    return { ctx, owner: ownerOf(ctx, request) };
  };
  const opened = new WeakMap<FastifyRequest, Opened>();

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    scope.addHook("onRequest", async (_, reply) => void reply.header("cache-control", "no-store"));

    scope.post(transcriptionPath(":id"), {
      bodyLimit: MAX_RECORDING_BYTES,
      // Identity and limits are checked before the recording is read.
      onRequest: async (request, reply) => {
        const signal = signalOf(reply);
        const { ctx, owner } = await callerOf(request);
        const query = readQuery(voiceQuery, request);
        // Entered first, so that a recording that is refused because of concurrent ones does not count towards the
        // daily limit.
        const leave = enterRecording(owner);
        reply.raw.once("finish", leave).once("close", leave);
        // The connection may already have ended.
        if (reply.raw.closed || reply.raw.destroyed) leave();
        const bot = await openRecording(ctx, owner, idOf(request), query, request.ip);
        opened.set(request, { ctx, owner, query, bot, signal });
      },
      handler: async (request) => {
        const { ctx, owner, bot, query, signal } = opened.get(request) as Opened;
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
        const { language = null } = query;
        return { text: await writeDown(ctx, owner, bot, { bytes, language, signal }) };
      },
    });

    scope.post(speechPath(":id"), { bodyLimit: 1 }, async (request, reply) => {
      const signal = signalOf(reply);
      const { ctx, owner } = await callerOf(request);
      const query = readQuery(speechQuery, request);
      const call = { address: request.ip, signal };
      const audio = await speakAnswer(ctx, owner, idOf(request), query, call);
      return reply.type("audio/mpeg").send(Readable.from(audio, { objectMode: false }));
    });
  });
}

function readQuery<S extends z.ZodType>(schema: S, { query }: FastifyRequest): z.output<S> {
  const parsed = schema.safeParse(query);
  if (!parsed.success) throw new Problem(422, "core.invalid");
  return parsed.data;
}

function idOf({ params }: FastifyRequest) {
  const parsed = z.object({ id: z.uuid() }).safeParse(params);
  if (!parsed.success) throw notFound();
  return parsed.data.id;
}

/** Aborts when the connection ends before the reply does. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) leaving.abort(new Error("the connection was closed"));
  };
  raw.once("close", leave);
  if (raw.closed || raw.destroyed) leave();
  return leaving.signal;
}
