import cookie from "@fastify/cookie";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { accountRoutes } from "#server/auth/account/accountRoutes.ts";
import { auditRoutes } from "#server/audit/routes.ts";
import { sessionIdOf } from "#server/auth/client.ts";
import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { requireReauth } from "#server/auth/reauth/reauthPolicy.ts";
import { providerReturnRoute } from "#server/auth/rawRoutes.ts";
import { authRoutes } from "#server/auth/routes.ts";
import { createVerifier } from "#server/auth/service.ts";
import { samlRoutes, ssoRoutes } from "#server/auth/sso/ssoRoutes.ts";
import { companyRoutes, logoRawRoute } from "#server/companies/routes.ts";
import { consentRoutes } from "#server/consent/routes.ts";
import { sendProblem } from "#server/core/errorHandler.ts";
import { healthRoute } from "#server/core/health.ts";
import { type Mount, mount } from "#server/core/http.ts";
import { openApi, openApiRoutes } from "#server/core/openapi.ts";
import type { Services } from "#server/core/services.ts";
import { courseRoutes } from "#server/courses/routes.ts";
import { eventRawRoutes } from "#server/events/rawRoutes.ts";
import { eventRoutes } from "#server/events/routes.ts";
import { fileRawRoutes } from "#server/files/rawRoutes.ts";
import { learnerRoutes } from "#server/learners/routes.ts";
import { mailRoutes } from "#server/mails/routes.ts";
import { drainBody } from "#server/core/unreadBody.ts";
import type { Committer } from "#server/player/commit.ts";
import { playerRoutes } from "#server/player/routes.ts";
import { privacyRoutes } from "#server/privacy/routes.ts";
import { reportRoutes } from "#server/reports/routes.ts";
import { servePages } from "#server/servePages.ts";
import { settingsRoutes } from "#server/settings/routes.ts";

/** The Fastify application: the routes of every domain, the API page, and the pages of the browser application. */
export async function createApp(services: Services, library: BetterAuth, commit: Committer) {
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
  });
  app.setErrorHandler(sendProblem);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    // Browsers use HTTPS from the first request on, even if the URL was typed without it (RFC 6797).
    if (isSecure) reply.header("strict-transport-security", "max-age=31536000");
  });
  app.addHook("onResponse", async (request, reply) => {
    const entry = {
      method: request.method,
      route: request.routeOptions.url ?? "unknown",
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(entry, "request");
  });
  app.addHook("onResponse", drainBody);
  await app.register(cookie);

  const verify = createVerifier(services, library);
  const on: Mount = mount(
    app,
    services,
    (request) => verify(request.headers.authorization, request.routeOptions.url),
    (request, user) => requireReauth(services, user, sessionIdOf(request)),
  );
  authRoutes(on, library, config);
  accountRoutes(on);
  ssoRoutes(on);
  samlRoutes(app, services);
  providerReturnRoute(app, services, library);
  companyRoutes(on);
  learnerRoutes(on);
  courseRoutes(on);
  playerRoutes(on, commit);
  reportRoutes(on);
  mailRoutes(on);
  consentRoutes(on);
  privacyRoutes(on);
  auditRoutes(on);
  settingsRoutes(on);
  eventRoutes(on);
  logoRawRoute(app, services);
  fileRawRoutes(app, services, verify);
  eventRawRoutes(app, services, verify);
  healthRoute(app, services);
  openApiRoutes(app, config.publicUrl);
  await app.register(swagger, { mode: "static", specification: { document: openApi(config.publicUrl) } });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: true,
    theme: { title: "Lyceum API", css: [{ filename: "lyceum.css", content: ".swagger-ui .topbar { display: none }" }] },
  });

  await servePages(app, services);
  return app;
}
