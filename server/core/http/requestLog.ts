import type { FastifyInstance } from "fastify";

/** Routes whose requests are many and say little. */
const isQuiet = (route: string, pace: string | undefined) =>
  route.startsWith("/api/health") || pace === "file" || pace === "course";

/**
 * Logs one line per request: the pattern of its route, never its address, which may hold a token or a name. Files and health checks are
 * logged at `debug`, everything else at `info`. Nor a person: what is in a log cannot be erased, and the audit log names who did what.
 */
export function logRequests(app: FastifyInstance) {
  app.addHook("onResponse", async (request, reply) => {
    const { url: route = "unknown", config } = request.routeOptions;
    const entry = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[isQuiet(route, config.pace) ? "debug" : "info"](entry, "request");
  });
}
