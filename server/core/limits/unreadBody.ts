import { Socket } from "node:net";
import type { FastifyRequest } from "fastify";

/** Bytes and time for which the rest of a body is read after the reply; then the connection is closed. */
const MAX_BYTES = 1024 ** 2;
const MAX_MS = 5000;

/**
 * Reads and drops what is left of a request body after the reply, such as that of a refused upload: an unread body would block
 * the next request on the connection. A connection that is closed at once could lose the reply (RFC 9112, section 9.6).
 */
export async function drainBody({ raw }: FastifyRequest) {
  // Requests of the server itself (`app.inject`) have no connection.
  if (raw.complete || raw.destroyed || !(raw.socket instanceof Socket)) return;
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
