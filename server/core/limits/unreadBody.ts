import { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Bytes and time for which the rest of a body is read after the reply; then the connection is closed. */
const MAX_BYTES = 512 * 1024;
const MAX_MS = 5000;
const SMALL_BYTES = 64 * 1024;

/**
 * Reads and drops what is left of a request body after the reply, such as that of a refused upload: an unread body
 * would block the next request on the connection. A connection that is closed at once could lose the reply (RFC 9112,
 * section 9.6).
 */
export async function drainBody({ raw }: FastifyRequest, { statusCode }: FastifyReply) {
  // Requests of the server itself (`app.inject`) have no connection.
  if (raw.complete || raw.destroyed || !(raw.socket instanceof Socket)) return;
  // Whoever exceeds a rate limit with a large body is not read any further.
  if (statusCode === 429 && Number(raw.headers["content-length"] ?? MAX_BYTES) > SMALL_BYTES)
    return void raw.socket.destroy();
  let bytes = 0;
  const timer = setTimeout(() => raw.socket.destroy(), MAX_MS).unref();
  raw.unpipe();
  raw.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) raw.socket.destroy();
  });
  raw.once("close", () => clearTimeout(timer));
  raw.once("end", () => clearTimeout(timer));
  raw.on("error", () => {});
  raw.resume();
}
