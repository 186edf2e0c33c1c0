import { z } from "zod";
import { changes, defineContracts, del, get, listQuery, page, patch, post } from "#shared/core/route.ts";
import { isAdmin, withReauth } from "#shared/core/users.ts";

// Webhooks: external receivers to which flows send values. Requests are signed as Standard Webhooks
// (standardwebhooks.com): headers webhook-id, webhook-timestamp and webhook-signature (`v1,` and the HMAC-SHA-256 in
// base64 of `id.timestamp.body`).

export const webhookInput = z.object({
  name: z.string().trim().min(1).max(120),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .refine((url) => !URL.canParse(url) || (new URL(url).username === "" && new URL(url).password === ""), {
      error: "core.addressWithCredentials",
    }),
  /** Null: values of all companies. */
  companyId: z.uuid().nullable().default(null),
  /** Names and email addresses instead of pseudonyms. */
  includesNames: z.boolean().default(false),
});
export type WebhookInput = z.infer<typeof webhookInput>;

export const webhookStatus = z.enum(["active", "off"]);
export const webhook = webhookInput.extend({
  id: z.uuid(),
  status: webhookStatus,
  version: z.int(),
  company: z.string().nullable(),
  createdAt: z.string(),
  failingSince: z.string().nullable(),
  nextAt: z.string(),
  pending: z.int(),
  delivered: z.int(),
  flows: z.int(),
  lastStatus: z.int().nullable(),
  lastAnswer: z.string(),
  lastAt: z.string().nullable(),
});
export type Webhook = z.infer<typeof webhook>;

export const deliveryStatus = z.enum(["pending", "delivered"]);
export const delivery = z.object({
  id: z.int(),
  eventId: z.uuid(),
  createdAt: z.string(),
  status: deliveryStatus,
  tries: z.int(),
  lastStatus: z.int().nullable(),
  /** Beginning of the response, or why there was none. */
  lastAnswer: z.string(),
  lastMs: z.int().nullable(),
  lastAt: z.string().nullable(),
  body: z.string(),
});
export type Delivery = z.infer<typeof delivery>;

/** Delays after the first, second, … failed attempt, in seconds; the last one is repeated. */
export const RETRY_SECONDS = [10, 60, 300, 1800, 7200, 21_600];
/** A webhook that has failed for this long is switched off. */
export const OFF_AFTER_HOURS = 48;
/** Deliveries are deleted after this many days. */
export const DELIVERY_DAYS = 30;

export const testResult = z.object({
  ok: z.boolean(),
  status: z.int().nullable(),
  answer: z.string(),
  ms: z.int(),
});

export const canManageWebhooks = isAdmin;
/** Requires recent authentication, because it decides where personal data is sent. */
export const canChangeWebhooks = withReauth(isAdmin);

export const webhooks = defineContracts("webhooks", {
  list: get("/api/webhooks", {
    does: "List the webhooks",
    query: listQuery.omit({ sort: true }),
    reply: page(webhook),
  }),
  create: post("/api/webhooks", {
    does: "Add a webhook; the reply has its secret, which is shown only here",
    body: webhookInput,
    reply: webhook.extend({ secret: z.string() }),
  }),
  update: patch("/api/webhooks/:id", {
    does: "Change a webhook; 409 if it changed since `version`",
    body: changes(webhookInput).extend({ version: z.int(), status: webhookStatus.optional() }),
    reply: webhook,
  }),
  rotateSecret: post("/api/webhooks/:id/secret", {
    does: "Give a webhook a new secret, which is shown only here; the old one is not used any more",
    reply: z.object({ secret: z.string() }),
  }),
  test: post("/api/webhooks/:id/test", { does: "Send a test event to a webhook", reply: testResult }),
  remove: del("/api/webhooks/:id", { does: "Delete a webhook with its flows and deliveries" }),
  deliveries: get("/api/webhooks/:id/deliveries", {
    does: "List what was sent to a webhook, newest first",
    query: listQuery.omit({ sort: true, q: true }).extend({ status: deliveryStatus.optional() }),
    reply: page(delivery),
  }),
  retry: post("/api/webhooks/:id/retry", {
    does: "Send what is pending now, without waiting for the next try",
    reply: webhook,
  }),
});
