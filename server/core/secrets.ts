import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** A random token: 256 bits as base64url, safe in URLs. Only its hash (`hashToken`) is stored. */
export const newToken = () => randomBytes(32).toString("base64url");
export const hashToken = (token: string) => createHash("sha256").update(token).digest("base64url");

/** A signature of `text` (HMAC-SHA-256, truncated to 128 bits, base64url), for tokens that need no row. */
export const sign = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest().subarray(0, 16).toString("base64url");

/** True if two strings are equal; compares in constant time, so that response times reveal nothing. */
export function isSame(a: string, b: string) {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

const keyFor = (secret: string, purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

/**
 * Encrypts `text` for storage: AES-256-GCM with a random nonce and a separate key (HKDF) per `purpose`. `bound` ties
 * the result to one row; `unseal` needs the same value.
 */
export function seal(secret: string, purpose: string, text: string, bound = "") {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFor(secret, purpose), nonce).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
}

/** Decrypts the result of `seal`. Null if secret, purpose or `bound` differ, or if it was modified. */
export function unseal(secret: string, purpose: string, sealed: string, bound = "") {
  try {
    const bytes = Buffer.from(sealed.replace(/^v1\./, ""), "base64url");
    const decipher = createDecipheriv("aes-256-gcm", keyFor(secret, purpose), bytes.subarray(0, 12))
      .setAAD(Buffer.from(bound))
      .setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
