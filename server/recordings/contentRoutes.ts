import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import type { Services } from "#server/core/services.ts";
import { storeChunk } from "#server/recordings/chunks.ts";
import { isRecordingOpen } from "#server/recordings/permission.ts";
import { MAX_CHUNK_BYTES, MAX_CHUNKS } from "#shared/recordings/recordingLimits.ts";

const sessionPath = z.object({ id: z.uuid() });
const chunkPath = sessionPath.extend({ number: z.coerce.number().int().min(0).max(MAX_CHUNKS) });
const readPath = <S extends z.ZodType>(path: S, { params }: FastifyRequest): z.output<S> => {
  const parsed = path.safeParse(params);
  if (!parsed.success) throw notFound();
  return parsed.data;
};

/**
 * On the content origin: `POST /recording/{session}/{number}` stores a chunk of the recording of a session, compressed
 * with gzip, and `GET /recording/{session}` returns the number of the next one. Token, permission and rate are checked
 * before a body is read. `authorise` throws 401 unless the request has the token of the session.
 */
export function recordingContentRoutes(
  app: FastifyInstance,
  { db }: Services,
  authorise: (request: FastifyRequest) => Promise<void>,
  limit: GuestLimit,
) {
  app.addContentTypeParser("application/gzip", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  const check = async (request: FastifyRequest) => {
    const { id } = readPath(sessionPath, request);
    await authorise(request);
    await limit.countWrite(request, id);
    if (!(await isRecordingOpen(db, id))) throw new Problem(403, "recordings.ended");
  };
  app.get("/recording/:id", { onRequest: check }, async (request, reply) => {
    const { id } = readPath(sessionPath, request);
    const recording = await db.selectFrom("recordings").where("sessionId", "=", id).select("chunks").executeTakeFirst();
    if (!recording) throw new Problem(403, "recordings.ended");
    return reply.header("cache-control", "no-store").send({ next: recording.chunks });
  });
  app.post("/recording/:id/:number", { bodyLimit: MAX_CHUNK_BYTES, onRequest: check }, async (request) => {
    const { id, number } = readPath(chunkPath, request);
    if (!Buffer.isBuffer(request.body) || request.body.length === 0) throw new Problem(422, "recordings.broken");
    return { next: await storeChunk(db, id, number, request.body) };
  });
}
