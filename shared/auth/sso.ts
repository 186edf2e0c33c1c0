import { z } from "zod";
import { defineContracts, del, get, put } from "#shared/core/route.ts";
import { isAdmin, withReauth } from "#shared/core/users.ts";

// Single sign-on of a company with its own identity provider

export const ssoInput = z.object({
  kind: z.enum(["oidc", "saml"]),
  /** Issuer URL of the OpenID provider, or entity ID of the SAML provider. */
  issuer: z.string().trim().max(500),
  clientId: z.string().trim().max(300).default(""),
  /** If omitted, the stored secret is kept, provided issuer and client are unchanged. */
  clientSecret: z.string().trim().max(1000).optional(),
  /** URL of the SAML provider's HTTP-Redirect binding. */
  entryPoint: z.string().trim().max(1000).default(""),
  /** Signing certificates of the SAML provider, PEM. */
  certificate: z.string().trim().max(20_000).default(""),
  /** Validated by the server with the other fields, so that all errors are reported together. */
  domains: z.array(z.string().trim().max(260)).max(50),
  /** People with these domains must sign in with single sign-on. */
  enforced: z.boolean(),
  enabled: z.boolean(),
  /** Version the change is based on; 0 for a new connection. */
  version: z.int().min(0),
});
export type SsoInput = z.output<typeof ssoInput>;

export const ssoConnection = ssoInput.omit({ clientSecret: true }).extend({
  hasSecret: z.boolean(),
  certificateEnds: z.string().nullable(),
  domains: z.array(z.string()),
  updatedAt: z.string(),
});
export type SsoConnection = z.infer<typeof ssoConnection>;

export const canManageSso = isAdmin;
/** Requires recent authentication: control of the identity provider is control of every account that uses it. */
export const canChangeSso = withReauth(canManageSso);

export const sso = defineContracts("sso", {
  get: get("/api/companies/:id/sign-in", {
    does: "Get the single sign-on of a company, and the URLs to register at its provider",
    reply: z.object({
      connection: ssoConnection.nullable(),
      redirect: z.string(),
      acs: z.string(),
      entityId: z.string(),
    }),
  }),
  save: put("/api/companies/:id/sign-in", {
    does: "Set up or change single sign-on; requires recent authentication. Secrets are never returned",
    body: ssoInput,
    reply: ssoConnection,
  }),
  remove: del("/api/companies/:id/sign-in", { does: "Remove single sign-on; requires recent authentication" }),
});
