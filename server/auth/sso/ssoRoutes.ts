import type { FastifyInstance } from "fastify";
import { acceptSaml, samlMetadata } from "#server/auth/sso/saml.ts";
import { readSso, removeSso, saveSso } from "#server/auth/sso/ssoSettings.ts";
import type { Mount } from "#server/core/http/http.ts";
import type { Services } from "#server/core/services.ts";
import { canChangeSso, canManageSso, sso } from "#shared/auth/sso.ts";

const RESPONSE_BYTES = 512 * 1024;

export function ssoRoutes(on: Mount) {
  on(sso.get, canManageSso, (call) => readSso(call, call.params.id));
  on(sso.save, canChangeSso, (call) => saveSso(call, call.params.id, call.body));
  on(sso.remove, canChangeSso, (call) => removeSso(call, call.params.id));
}

/** SAML endpoints outside the JSON API: metadata as XML, and the response as form post from the provider's page. */
export function samlRoutes(app: FastifyInstance, services: Services) {
  app.get("/api/auth/saml/metadata", async (_, reply) =>
    reply.type("application/samlmetadata+xml").send(samlMetadata(services.config)),
  );
  app.register(async (scope) => {
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: RESPONSE_BYTES },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    );
    scope.post("/api/auth/external/saml", async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const state = form.get("RelayState") ?? "";
      await acceptSaml(services, form.get("SAMLResponse") ?? "", state);
      // The browser sends our SameSite=Lax cookies again with the GET after this redirect.
      return reply
        .header("cache-control", "no-store")
        .redirect(`/api/auth/external/return?${new URLSearchParams({ state })}`, 303);
    });
  });
}
