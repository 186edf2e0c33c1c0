import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isDeadlock } from "#server/core/database/db.ts";
import { onPool } from "#server/core/database/pools.ts";
import type { Problem } from "#server/core/http/problem.ts";
import { createBodyBudget } from "#server/core/limits/bodyBudget.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import type { Services } from "#server/core/services.ts";
import { recordCall } from "#server/provisioning/calls.ts";
import { createDirectoryVerifier } from "#server/provisioning/keyVerifier.ts";
import { createTurns } from "#server/provisioning/turns.ts";
import { type Directory, readScim } from "#server/provisioning/scim/context.ts";
import type { Answer, Sent } from "#server/provisioning/scim/operation.ts";
import { methodsOf, operations } from "#server/provisioning/scim/operations.ts";
import {
  errorBody,
  fromProblem,
  invalidSyntax,
  ScimError,
  unknownResource,
  wrongMethod,
} from "#server/provisioning/scim/scimError.ts";
import { SCIM_PATH } from "#shared/provisioning/provisioning.ts";

const RETRY_SECONDS = 2;
const TYPE = "application/scim+json; charset=utf-8";
const ACCEPTED = /^application\/(scim\+)?json\s*(;|$)/i;
/** Bytes of bodies in this process. */
const MAX_HELD_BYTES = 48 * 1024 ** 2;
const MAX_COMPANY_BYTES = 16 * 1024 ** 2;

/** Everything that a directory may ask of one company, by SCIM 2.0. Keys are checked before a body is read. */
export function scimRoutes(
  app: FastifyInstance,
  services: Services,
  limit: GuestLimit,
  thrownAs: (error: unknown, request: FastifyRequest) => Problem,
) {
  const pooled = onPool(services, "pages");
  const verify = createDirectoryVerifier(pooled.db, services.config.publicUrl);
  const callers = new WeakMap<FastifyRequest, Directory>();
  const hold = createBodyBudget({ all: MAX_HELD_BYTES, each: MAX_COMPANY_BYTES });
  const takeTurn = createTurns();
  const works = new WeakMap<FastifyRequest, Promise<unknown>>();
  const directoryOf = (request: FastifyRequest) => {
    const directory = callers.get(request);
    if (!directory) throw new ScimError(401, "The key is missing.");
    return directory;
  };
  const asScimError = (error: unknown, request: FastifyRequest) => {
    if (error instanceof ScimError) return error;
    // Repeated several times already.
    if (isDeadlock(error)) return new ScimError(503, "Others change the same. Try again.", null, RETRY_SECONDS);
    return fromProblem(thrownAs(error, request));
  };

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = asScimError(thrown, request);
      if (error.status === 500) request.log.error({ err: thrown }, "a call by SCIM failed");
      const directory = callers.get(request);
      if (directory && error.status !== 429)
        await recordCall(pooled, directory, request, {
          status: error.status,
          result: error.outcome ?? error.message,
        });
      const retryAfter = error.retryAfter ?? (error.status === 503 ? RETRY_SECONDS : null);
      if (retryAfter !== null) reply.header("retry-after", retryAfter);
      if (error.allow) reply.header("allow", error.allow.join(", "));
      return reply
        .code(error.status)
        .type(TYPE)
        .send(JSON.stringify(errorBody(error)));
    });
    scope.addHook("onRequest", async (request, reply) => {
      reply.headers({ "cache-control": "no-store", "content-security-policy": "default-src 'none'; sandbox" });
      const directory = await verify(request, reply);
      limit.admit(request, "other");
      callers.set(request, directory);
      hold(request, reply, directory.companyId);
    });

    for (const { method, path, run, body = 0, isHeavy = false } of operations)
      scope.route({
        method,
        url: SCIM_PATH + path,
        bodyLimit: Math.max(body, 1024),
        config: { priority: isHeavy ? "heavy" : "page" },
        preHandler: (request, reply) =>
          takeTurn(directoryOf(request).companyId, { isHeavy, reply, work: () => works.get(request) }),
        handler: async (request, reply) => {
          const directory = directoryOf(request);
          const work = readScim(isHeavy ? onPool(services, "heavy") : pooled, directory).then((scim) =>
            run(scim, readSent(request, body > 0)),
          );
          works.set(request, work);
          const answer = await work;
          await recordCall(pooled, directory, request, {
            status: answer.status ?? 200,
            result: answer.outcome,
            ...(answer.id && { id: answer.id }),
          });
          return send(reply, answer);
        },
      });
    // Whatever else is asked for has an error in the same format.
    for (const url of [SCIM_PATH, `${SCIM_PATH}/*`])
      scope.all(url, { config: { priority: "page" } }, async (request) => {
        const { pathname } = new URL(request.url, services.config.publicUrl);
        const allow = methodsOf(pathname.slice(SCIM_PATH.length));
        throw allow.length > 0 && !allow.includes(request.method) ? wrongMethod(allow) : unknownResource();
      });
  });
}

function send(reply: FastifyReply, { status = 200, body, etag, location }: Answer) {
  if (etag) reply.header("etag", etag);
  if (location) reply.header("location", location);
  if (body === undefined) return reply.code(status).send();
  return reply.code(status).type(TYPE).send(JSON.stringify(body));
}

function readSent({ params, query, headers, body }: FastifyRequest, hasBody: boolean): Sent {
  const { id = "" } = params as { id?: string };
  const members = new Map(
    Object.entries(query as Record<string, unknown>).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    id: id.toLowerCase(),
    query: members,
    body: hasBody ? readJson(headers["content-type"], body) : undefined,
    ifMatch: headers["if-match"],
    ifNoneMatch: headers["if-none-match"],
  };
}

function readJson(type: string | undefined, body: unknown): unknown {
  if (type !== undefined && !ACCEPTED.test(type)) throw new ScimError(415, "Bodies are application/scim+json.");
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString("utf8") : "") as unknown;
  } catch {
    throw invalidSyntax("The body is not JSON.");
  }
}
