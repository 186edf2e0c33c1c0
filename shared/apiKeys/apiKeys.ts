import { z } from "zod";
import { defineContracts, get, listQuery, page, post } from "#shared/core/route.ts";
import { isAdmin, keyScope, withReauth } from "#shared/core/users.ts";

// API keys: access of other systems to endpoints that name a scope (`keyScope` of their contract)

/** Every key starts with this, so that scanners find one that was published by mistake. */
export const KEY_PREFIX = "lyk_";
/** Requests per minute of one key on one node. */
export const KEY_REQUESTS_PER_MINUTE = 600;

export const apiKeyInput = z.object({
  name: z.string().trim().min(1).max(120),
  scopes: z
    .array(keyScope)
    .min(1)
    .transform((scopes) => [...new Set(scopes)]),
  /** Null: all companies. */
  companyId: z.uuid().nullable().default(null),
  /** Null: until it is revoked. */
  expiresInDays: z.int().min(1).max(1095).nullable().default(365),
});
export type ApiKeyInput = z.input<typeof apiKeyInput>;

export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(keyScope),
  companyId: z.uuid().nullable(),
  company: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  status: z.enum(["active", "expired", "revoked"]),
});
export type ApiKey = z.infer<typeof apiKey>;

export const canReadKeys = isAdmin;
export const canManageKeys = withReauth(isAdmin);

export const apiKeys = defineContracts("apiKeys", {
  list: get("/api/api-keys", {
    does: "List the API keys",
    query: listQuery.omit({ sort: true }),
    reply: page(apiKey),
  }),
  create: post("/api/api-keys", {
    does: "Create an API key; the reply has the key itself, which is shown only here",
    body: apiKeyInput,
    reply: apiKey.extend({ key: z.string() }),
  }),
  revoke: post("/api/api-keys/:id/revoke", { does: "Revoke an API key; it works no longer", reply: apiKey }),
});
