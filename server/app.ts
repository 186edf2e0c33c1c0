import Fastify, { type FastifyBaseLogger, type FastifyRequest, LogController } from "fastify";
import { apiKeyOf, createKeyVerifier } from "#server/apiKeys/keyVerifier.ts";
import { sessionIdOf } from "#server/auth/client.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { requireReauth } from "#server/auth/reauth/reauthPolicy.ts";
import { providerReturnRoute } from "#server/auth/rawRoutes.ts";
import { createVerifier } from "#server/auth/verifier.ts";
import { samlRoutes } from "#server/auth/sso/ssoRoutes.ts";
import { logoRawRoute } from "#server/companies/routes.ts";
import { asProblem, createErrorHandler } from "#server/core/http/errorHandler.ts";
import { logRequests } from "#server/core/http/requestLog.ts";
import { securityRoute } from "#server/core/http/securityTxt.ts";
import { healthRoute } from "#server/core/http/health.ts";
import { type Mount, mount } from "#server/core/http/http.ts";
import { apiDocsRoutes } from "#server/core/http/apiDocs.ts";
import { withValidEncoding } from "#server/core/http/urls.ts";
import type { Services } from "#server/core/services.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Domain } from "#server/core/domains/domain.ts";
import { readRegistry } from "#server/core/domains/registry.ts";
import * as domains from "#server/domains.ts";
import { listContracts, mountAllRoutes } from "#server/endpoints.ts";
import { academyLogoRoute } from "#server/settings/logo.ts";
import { manifestRoute } from "#server/settings/manifest.ts";
import { eventRawRoutes } from "#server/events/rawRoutes.ts";
import { voiceRawRoutes } from "#server/conversations/voice/voiceRoutes.ts";
import { fileRawRoutes } from "#server/files/rawRoutes.ts";
import { onPool } from "#server/core/database/pools.ts";
import { countGuests } from "#server/core/limits/guestGate.ts";
import { createGuestLimit } from "#server/core/limits/guestLimit.ts";
import { orderRequests } from "#server/core/limits/requestOrder.ts";
import { warnOfUntrustedProxy } from "#server/core/limits/proxyWarning.ts";
import { cutSlowBodies } from "#server/core/limits/slowBody.ts";
import { drainBody } from "#server/core/limits/unreadBody.ts";
import { endStreams } from "#server/core/live/eventStream.ts";
import type { Committer } from "#server/player/commit.ts";
import { scimRoutes } from "#server/provisioning/scimRoutes.ts";
import { noLaunches } from "#server/statements/launches.ts";
import { recordStoreRoutes } from "#server/statements/storeRoutes.ts";
import { servePages } from "#server/pages.ts";

/** The Fastify application: the routes of every domain, the API page, and the pages of the browser application. */
export async function createApp(services: Services, library: BetterAuth, committer: Committer) {
  const { config, log } = services;
  const isSecure = config.publicUrl.startsWith("https:");
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => crypto.randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: 4 * 1024 ** 2,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 4000 },
    rewriteUrl: ({ url = "/" }) => withValidEncoding(url),
  });
  app.setErrorHandler(createErrorHandler(config));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    // Browsers use HTTPS from the first request on, even if the URL was typed without it (RFC 6797).
    if (isSecure) reply.header("strict-transport-security", "max-age=31536000");
  });
  logRequests(app);
  app.addHook("onRequest", warnOfUntrustedProxy());
  app.addHook("onResponse", drainBody);
  cutSlowBodies(app);

  const verify = createVerifier(services, library);
  const limitGuest = createGuestLimit();
  // The Firebase client sends `Firebase <token>`, all others `Bearer <token>`.
  const isKnown = async ({ headers: { authorization } }: FastifyRequest) =>
    authorization !== undefined && (await verify(authorization.replace(/^Firebase /i, "Bearer "))) !== null;
  countGuests(app, limitGuest, isKnown);
  orderRequests(app, services.admission, limitGuest);

  services.accessChanges.start();
  app.addHook("preClose", async () => endStreams(services));
  app.addHook("onClose", () =>
    Promise.all([services.accessChanges.close(), services.liveChanges.close(), services.admission.close()]).then(
      () => {},
    ),
  );
  const verifyKey = createKeyVerifier(services);
  const on: Mount = mount(
    app,
    services,
    async (request, reply) => {
      const key = apiKeyOf(request);
      return key ? verifyKey(key, request, reply) : verify(request.headers.authorization, request.routeOptions.url);
    },
    (request, user) => requireReauth(services, user, sessionIdOf(request)),
    limitGuest,
  );
  const registry = readRegistry(Object.values(domains));
  const followEmbedder = async (tx: Tx) => {
    for (const { followsEmbedder } of Object.values<Domain>(domains)) await followsEmbedder?.(tx);
  };
  mountAllRoutes(on, { library, config, committer, registry, followEmbedder });
  const pages = onPool(services, "pages");
  samlRoutes(app, pages);
  providerReturnRoute(app, pages, library);
  logoRawRoute(app, pages);
  academyLogoRoute(app, pages);
  manifestRoute(app, pages);
  fileRawRoutes(app, pages, verify);
  eventRawRoutes(app, pages, verify);
  voiceRawRoutes(app, pages, verify, limitGuest);
  recordStoreRoutes(app, services, limitGuest, { keys: true, launches: noLaunches });
  scimRoutes(app, services, limitGuest, asProblem);
  healthRoute(app, services);
  securityRoute(app, config);
  apiDocsRoutes(app, listContracts(), config.publicUrl);
  await servePages(app, pages, limitGuest);
  return app;
}
