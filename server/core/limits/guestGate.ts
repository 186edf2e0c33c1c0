import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GuestLimit, PaceName } from "#server/core/limits/guestLimit.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How many requests without effects guests may send to this route; `page` by default. */
    pace?: PaceName;
  }
}

/**
 * Counts the requests of guests to every route of an application, including routes of plugins and addresses without a
 * route. Routes that know their callers count or admit the requests themselves, earlier; a request that has not been
 * counted when its body is read, or when it is refused, is counted here, so no route can be added without a limit.
 * `isKnown`: whether the request has a valid token.
 */
export function countGuests(
  app: FastifyInstance,
  limit: GuestLimit,
  isKnown: (request: FastifyRequest) => Promise<boolean> | boolean = () => false,
) {
  app.addHook("preParsing", async (request) => {
    if (limit.isCounted(request)) return;
    if (await isKnown(request)) return limit.admit(request);
    if (request.method !== "GET" && request.method !== "HEAD") return limit.countWrite(request);
    const { pace = "page" } = request.routeOptions.config;
    return limit.slowRead(request, { pace });
  });
  app.addHook("onSend", async (request) => {
    if (!limit.isCounted(request)) await limit.slowRefusal(request);
  });
}
