import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** An unguessable token, 256 bits, safe in addresses. Only its hash is stored. */
export const newToken = () => randomBytes(32).toString('base64url')
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

/** A keyed check sum (HMAC-SHA-256, 128 bits kept) over `text`, for tokens that need no row. */
export const sign = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest().subarray(0, 16).toString('base64url')

/** Compares two strings in constant time. */
export function isSame(a: string, b: string) {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}
