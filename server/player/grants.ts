import { isSame, sign } from "#server/core/secrets.ts";

/**
 * Validity of a grant in hours. The end is rounded up to a multiple of it, so that launches on the same day share one
 * URL and files stay in the browser cache.
 */
const VALID_HOURS = 12;
const HOUR_MS = 3_600_000;

/**
 * Access to the files of one course version for one attempt, until `expiresAt` (ms since 1970). `isReview`: for an
 * admin who looks at what the learner saw. It does not depend on the learner's access, and the files get no network.
 */
export type Grant = { versionId: string; attemptId: string; expiresAt: number; isReview: boolean };
type GrantInput = { versionId: string; attemptId: string; isReview?: boolean };
const BYTES = 36;

const packUuid = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");
const unpackUuid = (bytes: Buffer) =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** A signed path segment that grants access to the files of one version for one attempt, and to nothing else. */
export function createGrant(secret: string, { versionId, attemptId, isReview }: GrantInput, now = Date.now()) {
  const hours = Math.ceil(now / HOUR_MS / VALID_HOURS) * VALID_HOURS + VALID_HOURS;
  const expiry = Buffer.alloc(4);
  expiry.writeUInt32BE(hours);
  const text = Buffer.concat([
    packUuid(versionId),
    packUuid(attemptId),
    expiry,
    Buffer.alloc(isReview ? 1 : 0),
  ]).toString("base64url");
  return `${text}.${sign(secret, `grant ${text}`)}`;
}

/** Verifies and reads a grant; null if it is forged or malformed. The caller checks `expiresAt`. */
export function readGrant(secret: string, text: string): Grant | null {
  const [body = "", mac = ""] = text.split(".");
  if (!isSame(mac, sign(secret, `grant ${body}`))) return null;
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length !== BYTES && bytes.length !== BYTES + 1) return null;
  return {
    versionId: unpackUuid(bytes.subarray(0, 16)),
    attemptId: unpackUuid(bytes.subarray(16, 32)),
    expiresAt: bytes.readUInt32BE(32) * HOUR_MS,
    isReview: bytes.length > BYTES,
  };
}
