import { createHmac, randomBytes } from "node:crypto";

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** The headers of one try (Standard Webhooks, section "Signature scheme"); `timestamp` in seconds since 1970. */
export function signedHeaders(secret: string, id: string, timestamp: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
    "user-agent": "Lyceum-Webhooks",
  };
}
