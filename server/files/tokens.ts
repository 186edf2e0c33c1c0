import { createHmac } from "node:crypto";
import { isSame } from "#server/core/secrets.ts";

type Tokens = { id: string; tokens: string[]; revokedTokens: string[] };

/** A download token of a file, in the form of a UUID. Derived from the server's secret and a stored nonce, so the row does not reveal it. */
export function tokenOf(secret: string, fileId: string, nonce: string) {
  const hex = createHmac("sha256", secret).update(`file token ${fileId} ${nonce}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** The stored nonce of a token; undefined if the token does not belong to this file. */
export const nonceOf = (secret: string, { id, tokens }: Tokens, token: string) =>
  tokens.find((nonce) => isSame(tokenOf(secret, id, nonce), token));

export const isRevoked = (secret: string, { id, revokedTokens }: Tokens, token: string) =>
  revokedTokens.some((nonce) => isSame(tokenOf(secret, id, nonce), token));
