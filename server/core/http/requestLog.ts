import type { FastifyInstance } from "fastify";

/** Routes with many requests that are of little interest. */
const isQuiet = (route: string, pace: string | undefined) =>
  route.startsWith("/api/health") || pace === "file" || pace === "course";

/**
 * Logs one line per request: the pattern of its route, never its URL, which may contain a token or a name. People are
 * not logged either, because log entries cannot be erased; the audit log records who did what. Files and health checks
 * are logged at `debug`, everything else at `info`.
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
