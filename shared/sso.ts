import { z } from "zod";
import { del, get, put } from "#shared/route.ts";
import { isAdmin, withReauth } from "#shared/users.ts";

// Single sign-on of a company: where its people prove who they are

export const ssoInput = z.object({
  kind: z.enum(["oidc", "saml"]),
  /** Address of the OpenID issuer, or the entity id of the SAML provider. */
  issuer: z.string().trim().max(500),
  clientId: z.string().trim().max(300).default(""),
  /** Left out: the stored one stays, for the same issuer and client. */
  clientSecret: z.string().trim().max(1000).optional(),
  /** Address of the SAML provider's redirect binding. */
  entryPoint: z.string().trim().max(1000).default(""),
  /** Signing certificates of the SAML provider, PEM. */
  certificate: z.string().trim().max(20_000).default(""),
  /** Checked by the server together with the other fields, so that every fault is told at once. */
  domains: z.array(z.string().trim().max(260)).max(50),
  /** No other way in for people of these domains. */
  enforced: z.boolean(),
  enabled: z.boolean(),
  /** 0 for a new connection. */
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
/** Whoever can change where people prove who they are can be anybody. */
export const canChangeSso = withReauth(canManageSso);

export const sso = {
  get: get("/api/companies/:id/sign-in", {
    does: "Single sign-on of a company, and the addresses that its provider has to know",
    reply: z.object({
      connection: ssoConnection.nullable(),
      redirect: z.string(),
      acs: z.string(),
      entityId: z.string(),
    }),
  }),
  save: put("/api/companies/:id/sign-in", {
    does: "Set up or change single sign-on; secrets go in and never come out. In a fresh session",
    body: ssoInput,
    reply: ssoConnection,
  }),
  remove: del("/api/companies/:id/sign-in", { does: "Take single sign-on away, in a fresh session" }),
};
