import type { FastifyInstance } from "fastify";

/** Routes whose requests are many and say little. */
const isQuiet = (route: string, pace: string | undefined) =>
  route.startsWith("/api/health") || pace === "file" || pace === "course";

/**
 * Logs one line per request: the pattern of its route, never its address, which may hold a token or a name. Files and health checks are
 * logged at `debug`, everything else at `info`.
 */
export function logRequests(app: FastifyInstance) {
  app.decorateRequest("userId", null);
  app.addHook("onResponse", async (request, reply) => {
    const { url: route = "unknown", config } = request.routeOptions;
    const entry = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...(request.userId && { user: request.userId }),
    };
    request.log[isQuiet(route, config.pace) ? "debug" : "info"](entry, "request");
  });
}
