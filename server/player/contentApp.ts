import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import fastifyStatic from "@fastify/static";
import { LRUCache } from "lru-cache";
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { sql } from "kysely";
import { limitValues } from "#server/core/limits/bodyValues.ts";
import { contentTypeOf } from "#server/core/http/contentTypes.ts";
import { createErrorHandler } from "#server/core/http/errorHandler.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { logRequests } from "#server/core/http/requestLog.ts";
import { serveHashedFiles } from "#server/core/http/staticFiles.ts";
import { countGuests } from "#server/core/limits/guestGate.ts";
import { onPool } from "#server/core/database/pools.ts";
import { createGuestLimit } from "#server/core/limits/guestLimit.ts";
import { orderRequests } from "#server/core/limits/requestOrder.ts";
import type { Services } from "#server/core/services.ts";
import { cutSlowBodies } from "#server/core/limits/slowBody.ts";
import { drainBody } from "#server/core/limits/unreadBody.ts";
import { ensureUnpacked } from "#server/courses/packageFolders.ts";
import { hasAccessTo } from "#server/courses/attemptAccess.ts";
import { activityContentRoutes } from "#server/player/activities/contentRoutes.ts";
import { createLaunchClients } from "#server/player/activities/launchClients.ts";
import type { Committer } from "#server/player/commit.ts";
import { lessonMediaRoutes } from "#server/player/lessonMedia.ts";
import { createPackageFinder, findPackageFile } from "#server/player/packageFiles.ts";
import { type Grant, readGrant } from "#server/player/grants.ts";
import { renderShellPage, renderViewerPage, SANDBOX } from "#server/player/shellPage.ts";
import { sessionIdOf, sessionTokenOf } from "#server/player/routes.ts";
import { recordingContentRoutes } from "#server/recordings/contentRoutes.ts";
import { recordStoreRoutes } from "#server/statements/storeRoutes.ts";
import { type Commit, commit as commitBody } from "#shared/player/player.ts";
import { RECORD_STORE_PATH } from "#shared/statements/statements.ts";
import { KIB, MIB } from "#shared/core/route.ts";

const shellFolder = join(import.meta.dirname, "../../dist/shell");
const FIND_BRIDGE = `(function () {
  for (var w = window; ; w = w.parent) {
    try { if (w.Lyceum) { window.Lyceum = w.Lyceum; return; } } catch (e) { return; }
    if (w === w.parent) return;
  }
})();
`;
/** In a replay, a package can reach only its own files: it must not report activity of its learner to anybody. */
const REVIEW_POLICY =
  "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; form-action 'none'; connect-src 'self' data: blob:";
/** How long a positive check of a grant is cached, in ms. */
const GRANT_CACHE_MS = 3000;
const MAX_CACHED_GRANTS = 10_000;
/** The most bytes of the commit of a closing page: as sent, and after decompression. */
const CLOSING_BYTES = 256 * KIB;
const CLOSING_BYTES_INFLATED = 4 * MIB;
type GrantParams = { Params: { grant: string; "*": string } };
const gunzipAsync = promisify(gunzip);
/** How long a commit of a closing page waits for the one before it, in ms; a closing page sends several at once. */
const MAX_WAIT_MS = 3000;

/**
 * The app of the content origin: serves the player shell and the files of packages, and accepts the final commit that
 * the shell sends. It has no cookies and no signed-in users; a grant in the path gives access to the files of one
 * version for one attempt.
 */
export async function createContentApp(services: Services, { authorise, commit, effects }: Committer) {
  const { config, log, db } = services;
  const app = Fastify({
    // Content joins paths to an endpoint with and without a slash at its end.
    rewriteUrl: ({ url = "/" }) => url.replace(/^\/xapi\/+/, `${RECORD_STORE_PATH}/`),
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => crypto.randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: 4 * 1024 ** 2,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 2000 },
  });
  app.setErrorHandler(createErrorHandler(config));
  logRequests(app);
  app.addHook("onResponse", drainBody);
  cutSlowBodies(app);
  const limit = createGuestLimit();
  countGuests(app, limit);
  orderRequests(app, services.admission, limit);
  app.setNotFoundHandler(async () => {
    throw notFound();
  });
  app.addHook("onRequest", async (request, reply) => {
    // A service worker would outlive the course and could intercept the files of every later one.
    if (request.headers["service-worker"]) throw new Problem(403, "core.forbidden");
    reply.headers({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      // Gives packages their own process, even on the site of the application, so that a hanging one does not block the
      // player.
      "origin-agent-cluster": "?1",
      "permissions-policy":
        "geolocation=(), payment=(), usb=(), serial=(), publickey-credentials-create=(), publickey-credentials-get=()",
    });
  });
  serveHashedFiles(app, "/shell/", shellFolder);
  // Adds `reply.sendFile`.
  await app.register(fastifyStatic, { root: shellFolder, serve: false });

  const grantCache = new LRUCache<string, { validUntil: number; isOpen: Promise<boolean> }>({ max: MAX_CACHED_GRANTS });
  /** True if the learner has access to the attempt, and the grant is valid or a session of the attempt is open. */
  const isOpen = async ({ attemptId, expiresAt, isReview }: Grant) => {
    if (isReview) return expiresAt > Date.now();
    const attempt = await db
      .selectFrom("attempts")
      .where("attempts.id", "=", attemptId)
      .where(sql<boolean>`${sql.raw(hasAccessTo("attempts"))}`)
      .select(
        sql<boolean>`exists (
          select from sessions
          where attempt_id = attempts.id
            and ended_at is null
        )`.as("hasOpenSession"),
      )
      .executeTakeFirst();
    return attempt !== undefined && (expiresAt > Date.now() || attempt.hasOpenSession);
  };
  const checkGrant = (text: string, grant: Grant) => {
    // If the database is unavailable, courses that are already open keep working.
    const result = isOpen(grant).catch((error: unknown) => {
      log.error({ err: error }, "a grant could not be checked");
      if (grant.expiresAt > Date.now()) return true;
      throw error;
    });
    result.then(
      (open) => open || grantCache.delete(text),
      () => grantCache.delete(text),
    );
    grantCache.set(text, { validUntil: Date.now() + GRANT_CACHE_MS, isOpen: result });
    return result;
  };
  /** Verifies the grant of a request: 404 if it is forged, 403 if it no longer gives access. */
  const requireGrant = async (request: FastifyRequest) => {
    const { grant: text } = request.params as { grant: string };
    const grant = readGrant(config.secret, text);
    if (!grant) throw notFound();
    await limit.slowRead(request, { pace: "course", device: grant.attemptId });
    const cached = grantCache.get(text);
    const open = await (cached && cached.validUntil > Date.now() ? cached.isOpen : checkGrant(text, grant));
    if (!open) throw new Problem(403, "core.forbidden");
    grants.set(request, grant);
  };
  const findPackage = createPackageFinder(db);
  const grants = new WeakMap<FastifyRequest, Grant>();
  const grantOf = (request: FastifyRequest) => grants.get(request) as Grant;

  app.get<GrantParams>(
    "/play/:grant/",
    { config: { pace: "course" }, onRequest: requireGrant },
    async (request, reply) => {
      const page = renderShellPage(config, request.params.grant, grantOf(request).isReview);
      return reply
        .headers({ "content-security-policy": page.policy, "cache-control": "no-store" })
        .type("text/html; charset=utf-8")
        .send(page.html);
    },
  );

  app.get<GrantParams>(
    "/recording-viewer/:grant/",
    { config: { pace: "course" }, onRequest: requireGrant },
    async (request, reply) => {
      if (!grantOf(request).isReview) throw new Problem(403, "core.forbidden");
      const page = renderViewerPage(config, request.params.grant);
      return reply
        .headers({ "content-security-policy": page.policy, "cache-control": "no-store" })
        .type("text/html; charset=utf-8")
        .send(page.html);
    },
  );

  // The script by which a page of a package gets `window.Lyceum`, which the player shell around it has created.
  app.get("/lyceum.js", { config: { pace: "file" } }, async (_, reply) =>
    reply.header("cache-control", "public, max-age=86400").type("text/javascript; charset=utf-8").send(FIND_BRIDGE),
  );

  app.get<GrantParams>(
    "/files/:grant/*",
    { config: { pace: "course" }, onRequest: requireGrant },
    async (request, reply) => {
      const { versionId, isReview } = grantOf(request);
      reply.header("content-security-policy", isReview ? `${SANDBOX.review}; ${REVIEW_POLICY}` : SANDBOX.play);
      const found = await findPackage(versionId, request.params["*"]);
      if (!found) throw notFound();
      return sendFile(reply, await ensureUnpacked(services, found.packageId), found.path);
    },
  );

  activityContentRoutes(app, services, limit);
  recordStoreRoutes(app, services, limit, { keys: false, launches: createLaunchClients(config, effects) });
  lessonMediaRoutes(app, services, requireGrant, grantOf);

  const sendFile = async (reply: FastifyReply, folder: string, path: string) => {
    const file = await findPackageFile(folder, path);
    if (!file) throw notFound();
    const policy = reply.getHeader("content-security-policy");
    reply.headers({
      "content-security-policy": [policy, `frame-ancestors 'self' ${config.publicUrl}`].filter(Boolean).join("; "),
      "cache-control": "private, max-age=604800, immutable",
    });
    return reply
      .type(contentTypeOf(file))
      .sendFile(file, folder, { cacheControl: false, dotfiles: "allow", index: false, contentType: false });
  };

  // The final commit of a closing page comes from the shell as plain text, because it could not send a CORS preflight.
  app.addContentTypeParser("text/plain", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.post(
    "/commit/:id",
    {
      bodyLimit: CLOSING_BYTES,
      config: { priority: "learning" },
      onRequest: async (request) => {
        await authorise(sessionIdOf(request), sessionTokenOf(request));
        limit.admit(request, "learner");
      },
    },
    async (request) => {
      const body = await parseFinalCommit(request.body);
      return commitInOrder(() => commit(sessionIdOf(request), sessionTokenOf(request), body));
    },
  );
  const authoriseRecording = async (request: FastifyRequest) => {
    await authorise(sessionIdOf(request), sessionTokenOf(request));
    limit.identify(request, "learner");
  };
  recordingContentRoutes(app, onPool(services, "learners"), authoriseRecording, limit);
  return app;
}

/** Repeats a commit while earlier events are missing, because requests of a closing page can overtake each other. */
async function commitInOrder<T>(commit: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await commit();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "player.gap" || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Parses JSON that may be gzipped: a closing page can send at most 65,536 bytes (Fetch standard, keepalive). */
async function parseFinalCommit(body: unknown): Promise<Commit> {
  try {
    const bytes = body as Buffer;
    const isGzipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const json = isGzipped ? await gunzipAsync(bytes, { maxOutputLength: CLOSING_BYTES_INFLATED }) : bytes;
    const commit: unknown = JSON.parse(json.toString("utf8"));
    limitValues(commit, "user");
    return commitBody.parse(commit);
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(422, "core.invalid");
  }
}
