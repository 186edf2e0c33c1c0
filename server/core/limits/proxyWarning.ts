import type { FastifyRequest } from "fastify";
import { isPublicAddress } from "#server/core/outgoing/publicAddress.ts";

/**
 * Returns a hook that warns once if requests come through a reverse proxy that is not trusted (TRUST_PROXY): then all
 * visitors have its address and share one rate limit.
 */
export function warnOfUntrustedProxy() {
  let hasWarned = false;
  return async (request: FastifyRequest) => {
    if (hasWarned || request.headers["x-forwarded-for"] === undefined) return;
    const peer = request.raw.socket.remoteAddress ?? "";
    // The address of a trusted proxy is replaced by that of the visitor. Visitors themselves rarely have a private
    // address.
    if (request.ip !== peer || isPublicAddress(peer)) return;
    hasWarned = true;
    request.log.warn(
      { peer },
      "A reverse proxy whose X-Forwarded-For is not trusted sends requests: all visitors count as one network. " +
        "Set TRUST_PROXY: docs/operations.md, Production.",
    );
  };
}
