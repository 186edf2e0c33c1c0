import { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** How often unfinished bodies are checked, in ms. */
const CHECK_MS = 2000;
/** The fewest bytes per second of a body, as the average over a window; a phone with poor reception sends 2500. */
const BYTES_PER_SECOND = 512;
/** Length of a window, in ms: short for messages, which the browser sends again; uploads survive a tunnel. */
const WINDOW_MS = { message: 15_000, upload: 40_000 };
/** A body that is not an upload must be complete after this time, in ms. Uploads may take as long as they need. */
const MAX_MESSAGE_MS = 120_000;
/** Routes with a larger limit take uploads. */
const MAX_MESSAGE_BYTES = 32 * 1024 ** 2;

type Body = { startedAt: number; windowAt: number; bytesAt: number; isUpload: boolean };

/**
 * Closes connections whose body does not arrive, with 408; otherwise they would stay open for ever. Time in which the
 * server itself does not read is not counted.
 */
export function cutSlowBodies(app: FastifyInstance) {
  const bodies = new Map<FastifyRequest, Body>();
  app.addHook("onRequest", async (request) => {
    const { headers, raw } = request;
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    // Requests of the server itself (`app.inject`) have no connection.
    if (!hasBody || raw.complete || !(raw.socket instanceof Socket)) return;
    const now = performance.now();
    const isUpload = (request.routeOptions.bodyLimit ?? 0) > MAX_MESSAGE_BYTES;
    bodies.set(request, { startedAt: now, windowAt: now, bytesAt: raw.socket.bytesRead, isUpload });
    raw.once("close", () => bodies.delete(request));
  });
  const check = () => {
    const now = performance.now();
    for (const [request, body] of bodies) {
      const { raw } = request;
      if (raw.complete || raw.destroyed) bodies.delete(request);
      else if (raw.readableLength >= raw.readableHighWaterMark)
        Object.assign(body, { windowAt: now, bytesAt: raw.socket.bytesRead });
      else if (isTooSlow(body, raw.socket, now)) {
        bodies.delete(request);
        cut(raw.socket);
      }
    }
  };
  const timer = setInterval(check, CHECK_MS).unref();
  app.addHook("onClose", async () => clearInterval(timer));
}

function isTooSlow(body: Body, { bytesRead }: Socket, now: number) {
  if (!body.isUpload && now - body.startedAt > MAX_MESSAGE_MS) return true;
  const windowMs = WINDOW_MS[body.isUpload ? "upload" : "message"];
  if (now - body.windowAt < windowMs) return false;
  const bytes = bytesRead - body.bytesAt;
  Object.assign(body, { windowAt: now, bytesAt: bytesRead });
  return bytes < (windowMs / 1000) * BYTES_PER_SECOND;
}

function cut(socket: Socket) {
  socket.end("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  setTimeout(() => socket.destroy(), 1000).unref();
}
