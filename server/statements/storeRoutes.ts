import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { onPool } from "#server/core/database/pools.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { createBodyBudget } from "#server/core/limits/bodyBudget.ts";
import type { GuestLimit } from "#server/core/limits/guestLimit.ts";
import { createKeyRate } from "#server/core/limits/keyRate.ts";
import type { Services } from "#server/core/services.ts";
import { createClientVerifier, readBasic } from "#server/statements/clientVerifier.ts";
import { readAgent, useDocuments } from "#server/statements/documentResources.ts";
import { checkParams } from "#server/statements/filters.ts";
import { findDefinitions } from "#server/statements/formats.ts";
import { agentKeyOf } from "#server/statements/identifiers.ts";
import type { LaunchClients, RecordStoreClient } from "#server/statements/launches.ts";
import { refused } from "#server/statements/refusals.ts";
import { readConsistentThrough } from "#server/statements/reading.ts";
import { type Answer, readStatementResource, writeStatements } from "#server/statements/statementResource.ts";
import {
  alternateMethodOf,
  demandVersion,
  hasFormCredentials,
  readStoreRequest,
  type StoreRequest,
} from "#server/statements/storeRequest.ts";
import { checkIri } from "#server/statements/validation/fields.ts";
import { readVersion, type XapiVersion } from "#server/statements/versions.ts";
import { type ClientScope, RECORD_STORE_PATH, storeLimits } from "#shared/statements/statements.ts";

/** Bytes of bodies in this process. */
const MAX_HELD_BYTES = 96 * 1024 ** 2;
/** Requests per minute of one session on one node. */
const LAUNCH_REQUESTS_PER_MINUTE = 1200;
/** Bytes of a body that names its sender itself (alternate syntax). */
const MAX_UNKNOWN_BYTES = 256 * 1024;

type Resource = (services: Services, client: RecordStoreClient, request: StoreRequest) => Promise<Answer>;
/** A resource and the scopes of keys that may read or write it. */
type Route = { path: string; methods: string[]; read: ClientScope[]; write: ClientScope[]; use: Resource };

const READ_ALL: ClientScope[] = ["all", "all/read"];

/**
 * The record store (xAPI) on one origin, for keys or, without `keys`, for launches. Identifies callers and counts their
 * requests before it reads a body. Replies have no WWW-Authenticate: a browser would ask the learner for a password.
 */
export function recordStoreRoutes(
  app: FastifyInstance,
  services: Services,
  limit: GuestLimit,
  { keys, launches }: { keys: boolean; launches: LaunchClients },
) {
  const pooled = onPool(services, keys ? "pages" : "learning");
  const verifyKey = createClientVerifier(pooled.db);
  const countLaunch = createKeyRate(LAUNCH_REQUESTS_PER_MINUTE);
  const callers = new WeakMap<FastifyRequest, RecordStoreClient>();
  /** The last version of each caller, used to answer a request that names none. */
  const spoken = new LRUCache<string, XapiVersion>({ max: 10_000 });

  const identify = async (authorization: string | undefined, request: FastifyRequest, reply: FastifyReply) => {
    const basic = readBasic(authorization);
    const { db } = pooled;
    const find = async ({ userName, password }: NonNullable<typeof basic>) =>
      keys ? verifyKey(userName, password, reply) : launches.find(db, userName, password);
    const client = basic && (await find(basic));
    if (!client) throw new Problem(401, "statements.signedOut");
    if (client.kind === "launch") countLaunch(client.sessionId, reply);
    limit.admit(request, client.kind === "launch" ? "learner" : "other");
    callers.set(request, client);
    return client;
  };
  const hold = createBodyBudget({ all: MAX_HELD_BYTES });
  const releases = new WeakMap<FastifyRequest, () => void>();

  const documents =
    (kind: "state" | "activity" | "agent"): Resource =>
    (on, client, request) =>
      useDocuments(on, client, kind, request, launches);
  const routes: Route[] = [
    {
      path: "/statements",
      methods: ["GET", "PUT", "POST"],
      read: [...READ_ALL, "statements/read", "statements/read/mine"],
      write: ["all", "statements/write"],
      use: (on, client, request) =>
        request.method === "GET"
          ? readStatementResource(on, client, request)
          : writeStatements(on, client, request, launches),
    },
    {
      path: "/activities/state",
      methods: ["GET", "PUT", "POST", "DELETE"],
      read: [...READ_ALL, "state"],
      write: ["all", "state"],
      use: documents("state"),
    },
    {
      path: "/activities/profile",
      methods: ["GET", "PUT", "POST", "DELETE"],
      read: [...READ_ALL, "profile"],
      write: ["all", "profile"],
      use: documents("activity"),
    },
    {
      path: "/agents/profile",
      methods: ["GET", "PUT", "POST", "DELETE"],
      read: [...READ_ALL, "profile"],
      write: ["all", "profile"],
      use: documents("agent"),
    },
    {
      path: "/activities",
      methods: ["GET"],
      read: [...READ_ALL, "statements/read", "profile", "state"],
      write: [],
      use: readActivity,
    },
    {
      path: "/agents",
      methods: ["GET"],
      read: [...READ_ALL, "statements/read", "profile", "state"],
      write: [],
      use: readPerson,
    },
  ];

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    scope.addHook("onRequest", async (request, reply) => {
      const version = readVersion(request.headers["x-experience-api-version"]) ?? "2.0.0";
      reply.headers({
        "x-experience-api-version": version,
        "cache-control": "no-store",
        // A stored document never runs as a page of this origin.
        "content-security-policy": "default-src 'none'; sandbox",
        "access-control-allow-origin": "*",
        "access-control-expose-headers":
          "ETag, Last-Modified, Retry-After, X-Experience-API-Version, X-Experience-API-Consistent-Through",
      });
    });

    scope.options(`${RECORD_STORE_PATH}/*`, { config: { pace: "file", priority: "light" } }, async (_, reply) =>
      reply
        .code(204)
        .headers({
          "access-control-allow-methods": "GET, HEAD, PUT, POST, DELETE",
          "access-control-allow-headers":
            "Authorization, Content-Type, If-Match, If-None-Match, Accept-Language, X-Experience-API-Version",
          "access-control-max-age": "7200",
        })
        .send(),
    );

    scope.get(`${RECORD_STORE_PATH}/about`, { config: { pace: "page" } }, async (_, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .send(JSON.stringify({ version: ["2.0.0", "1.0.3", "1.0.2", "1.0.1", "1.0.0"] })),
    );

    for (const { path, methods, read, write, use } of routes) {
      // The alternate syntax sends every request by POST.
      const accepted = [...new Set([...methods, "POST"])];
      scope.route({
        method: accepted,
        url: `${RECORD_STORE_PATH}${path}`,
        bodyLimit: path === "/statements" ? storeLimits.multipart : 2 * storeLimits.document,
        config: { priority: keys ? "page" : "learning" },
        onRequest: async (request, reply) => {
          if (hasFormCredentials(request)) {
            await limit.countWrite(request);
            if (!(Number(request.headers["content-length"]) <= MAX_UNKNOWN_BYTES))
              throw new Problem(413, "core.tooLarge");
          } else {
            const client = await identify(request.headers.authorization, request, reply);
            if (!request.headers["x-experience-api-version"])
              reply.header("x-experience-api-version", spoken.get(idOf(client)) ?? "2.0.0");
            if (alternateMethodOf(request) === null) demandVersion(request.headers["x-experience-api-version"]);
          }
          releases.set(request, hold(request, reply));
        },
        handler: async (request, reply) => {
          try {
            const sent = readStoreRequest(request);
            const client = callers.get(request) ?? (await identify(sent.authorization, request, reply));
            if (!methods.includes(sent.method)) throw notFound();
            spoken.set(idOf(client), sent.version);
            reply.header("x-experience-api-version", sent.version);
            if (path === "/statements")
              reply.header("x-experience-api-consistent-through", await readConsistentThrough(pooled.db));
            const scopes = sent.method === "GET" ? read : write;
            if (client.kind === "key" && !client.scopes.some((one) => scopes.includes(one)))
              throw refused("the key does not have the scope for this");
            const { status, headers = {}, body = "" } = await use(pooled, client, sent);
            return reply
              .code(status)
              .headers({
                ...(body !== "" && { "content-type": "application/json; charset=utf-8" }),
                ...headers,
              })
              .send(body);
          } finally {
            releases.get(request)?.();
          }
        },
      });
    }
  });
}

const idOf = (client: RecordStoreClient) => (client.kind === "key" ? client.clientId : client.sessionId);

const readActivity: Resource = async ({ db }, { companyId }, { params }) => {
  checkParams(params, ["activityId"]);
  const id = checkIri(params.activityId, "activityId");
  const definition = (await findDefinitions(db, companyId, [id])).get(id);
  return { status: 200, body: JSON.stringify({ objectType: "Activity", id, ...(definition && { definition }) }) };
};

/** The person of an agent: only the identifiers in the request, because the store does not join identities. */
const readPerson: Resource = async (_, client, { params }) => {
  checkParams(params, ["agent"]);
  const agent = readAgent(params.agent);
  if (client.kind === "launch" && agentKeyOf(agent) !== agentKeyOf(client.agent))
    throw refused("the agent is not the learner of the launch");
  const { objectType: _type, ...facts } = agent;
  const person = Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, [value]]));
  return { status: 200, body: JSON.stringify({ objectType: "Person", ...person }) };
};
