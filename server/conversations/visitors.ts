import { randomBytes } from "node:crypto";
import { hashToken, isSame, sign } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { VISITOR_HOURS } from "#shared/conversations/conversations.ts";

const PURPOSE = "chatbot visitor";

/** A token for a visitor of one chatbot. Nothing is stored: it is signed, and expires. */
export function newVisitorToken({ config }: Pick<Services, "config">, chatbotId: string, now = Date.now()) {
  const expires = now + VISITOR_HOURS * 3_600_000;
  const said = `${chatbotId}.${randomBytes(18).toString("base64url")}.${expires}`;
  return { token: `${said}.${sign(config.secret, `${PURPOSE} ${said}`)}`, expiresAt: new Date(expires).toISOString() };
}

export type Visitor = { id: string; chatbotId: string };

/** The visitor of a token: an id that cannot be turned back into it. Null if it is forged or has expired. */
export function readVisitor({ config }: Pick<Services, "config">, token: unknown, now = Date.now()): Visitor | null {
  const parts = typeof token === "string" && token.length < 200 ? token.split(".") : [];
  const [chatbotId = "", random = "", expires = "", signature = ""] = parts;
  const said = `${chatbotId}.${random}.${expires}`;
  if (parts.length !== 4 || !isSame(signature, sign(config.secret, `${PURPOSE} ${said}`))) return null;
  return Number(expires) > now ? { id: hashToken(random), chatbotId } : null;
}
