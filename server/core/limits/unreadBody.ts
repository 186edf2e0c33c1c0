import { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The most of a body that is read after the reply, in bytes and ms; beyond either the connection is closed. */
const MAX_BYTES = 512 * 1024;
const MAX_MS = 5000;
/** After 429 a larger body is not read at all. */
const SMALL_BYTES = 64 * 1024;

/**
 * Reads and drops the rest of a request body after the reply, for example of a refused upload: left unread, it would
 * block the next request on the connection. Closing the connection at once could lose the reply (RFC 9112, section
 * 9.6).
 */
export async function drainBody({ raw }: FastifyRequest, { statusCode }: FastifyReply) {
  // Requests of the server itself (`app.inject`) have no connection.
  if (raw.complete || raw.destroyed || !(raw.socket instanceof Socket)) return;
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
