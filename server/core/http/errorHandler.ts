import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ZodError } from "zod";
import { isBadData, isDiskFull, isMissingReference, isTimeout, isUnavailable } from "#server/core/database/db.ts";
import { Problem, sentence } from "#server/core/http/problem.ts";
import type { Config } from "#server/core/config.ts";
import { isNearlyFull } from "#server/core/storage/freeSpace.ts";
import { StorageDown } from "#server/core/storage/storage.ts";

/**
 * The error handler of a server. The embedded PostgreSQL ends when it cannot write its log, so if it is unavailable,
 * the disk is checked, to tell a full disk from a database that is only restarting.
 */
export const createErrorHandler =
  ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const isFull = isUnavailable(thrown) && !databaseUrl && (await isNearlyFull(dataDir));
    return sendProblem(isFull ? new StorageDown("full", "the disk of DATA_DIR is full") : thrown, request, reply);
  };

/**
 * Sends every thrown error as `{ error, code, issues?, details? }`. Only status 500 and above is logged, as an error.
 */
function sendProblem(thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(thrown, request);
  if (isCutOff(request)) request.log.debug({ code: problem.code }, "the client closed the connection within a body");
  // The line of the request says enough.
  else if (problem.code === "core.overloaded") request.log.debug({ code: problem.code }, "refused");
  else if (problem.status >= 500) request.log.error({ err: thrown }, problem.code);
  if (problem.status === 503 || problem.extra.values?.seconds)
    reply.header("retry-after", String(problem.extra.values?.seconds ?? 2));
  return reply.code(problem.status).type("application/json").send(problem.body());
}

/** The client closed the connection before it had sent the whole body; nobody reads the reply. */
const isCutOff = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete;

const storageProblems = {
  refused: "files.storageRefused",
  unreachable: "files.storageUnreachable",
  full: "core.diskFull",
} as const;

/** Any thrown error as a reply of the server. */
export function asProblem(thrown: unknown, request: FastifyRequest): Problem {
  if (thrown instanceof Problem) return thrown;
  if (isDiskFull(thrown)) return new Problem(503, "core.diskFull");
  if (thrown instanceof StorageDown) return new Problem(503, storageProblems[thrown.reason]);
  if (isUnavailable(thrown)) return new Problem(503, "core.unavailable");
  if (isTimeout(thrown)) return new Problem(503, "core.busy");
  if (isMissingReference(thrown)) return new Problem(404, "core.notFound");
  if (isBadData(thrown)) return new Problem(422, "core.invalid");
  const status = thrown instanceof ZodError ? 500 : ((thrown as FastifyError).statusCode ?? 500);
  if (status === 404) return new Problem(404, "core.notFound");
  if (status === 413) return new Problem(413, "core.tooLarge");
  if (status === 429) return new Problem(429, "core.tooMany", { values: { seconds: 60 } });
  if (status >= 400 && status < 500) {
    return new Problem(status, "core.invalid", {
      issues: [{ path: "", code: "core.unreadable", message: sentence("core.unreadable") }],
    });
  }
  return new Problem(500, "core.internal", { values: { id: request.id } });
}
