import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GuestLimit, PaceName } from "#server/core/limits/guestLimit.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** How many requests of guests without effects this route takes; `page` if it does not say. */
    pace?: PaceName;
  }
}

/**
 * Counts the requests of guests to every route of an application, also to those of plugins and to addresses without a route. Routes
 * that know their callers count or admit them themselves, before; what nobody has counted by the time the body is read, or by the time the
 * request is refused, is counted here. So a route cannot be added without a limit. `isKnown`: whether the request has a valid token.
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
