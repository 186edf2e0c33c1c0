import { createHmac, randomBytes } from "node:crypto";
import { isSame } from "#server/core/secrets.ts";

/** Days for which a download token is valid. People who may change the file can create another. */
export const TOKEN_DAYS = 30;

/** `createdAt`: that of the file, at which tokens were issued whose nonce contains no time. */
type Tokens = { id: string; createdAt: string; tokens: string[]; revokedTokens: string[] };

/** A new nonce: a UUID of version 7, whose first 48 bits are the time in ms since 1970 (RFC 9562). */
export function newNonce(now = Date.now()) {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function isExpired(nonce: string, { createdAt }: Tokens) {
  const isTimed = nonce[14] === "7";
  const issuedAt = isTimed ? Number.parseInt(nonce.replace("-", "").slice(0, 12), 16) : Date.parse(createdAt);
  return Date.now() - issuedAt > TOKEN_DAYS * 86_400_000;
}

/** The nonces of the tokens that are valid now. */
export const validNonces = (file: Tokens) =>
  file.tokens.filter((nonce) => !isExpired(nonce, file) && !file.revokedTokens.includes(nonce));

/**
 * A download token of a file, in the form of a UUID. Derived from the server's secret and a stored nonce, so the row
 * does not reveal it.
 */
export function tokenOf(secret: string, fileId: string, nonce: string) {
  const hex = createHmac("sha256", secret).update(`file token ${fileId} ${nonce}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** The stored nonce of a token; undefined if the token does not belong to this file or has expired. */
export const nonceOf = (secret: string, file: Tokens, token: string) =>
  validNonces(file).find((nonce) => isSame(tokenOf(secret, file.id, nonce), token));

/** True for a token of this file that was valid once: it was revoked or has expired. */
export const isRevoked = (secret: string, { id, tokens, revokedTokens }: Tokens, token: string) =>
  [...tokens, ...revokedTokens].some((nonce) => isSame(tokenOf(secret, id, nonce), token));
