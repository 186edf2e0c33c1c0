import { isSame, sign } from "#server/core/secrets.ts";

/** Hours that a grant works; its end is rounded up, so that a learner who comes back the same day finds files cached. */
const HOURS = 12;
const HOUR_MS = 3_600_000;

/** What a grant opens: the files of one course version, for one attempt, until `ends` (ms since 1970). */
export type Grant = { versionId: string; attemptId: string; ends: number };

const pack = (uuid: string) => Buffer.from(uuid.replaceAll("-", ""), "hex");
const unpack = (bytes: Buffer) => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** A path segment that opens the files of one version for one attempt. It holds no secret that opens anything else. */
export function grant(secret: string, { versionId, attemptId }: Omit<Grant, "ends">, now = Date.now()) {
  const hours = Math.ceil(now / HOUR_MS / HOURS) * HOURS + HOURS;
  const ends = Buffer.alloc(4);
  ends.writeUInt32BE(hours);
  const text = Buffer.concat([pack(versionId), pack(attemptId), ends]).toString("base64url");
  return `${text}.${sign(secret, `grant ${text}`)}`;
}

/** Reads a grant; null when it is forged or broken. Whether it has ended is for the caller to judge by `ends`. */
export function readGrant(secret: string, text: string): Grant | null {
  const [body = "", mac = ""] = text.split(".");
  if (!isSame(mac, sign(secret, `grant ${body}`))) return null;
  const bytes = Buffer.from(body, "base64url");
  if (bytes.length !== 36) return null;
  return {
    versionId: unpack(bytes.subarray(0, 16)),
    attemptId: unpack(bytes.subarray(16, 32)),
    ends: bytes.readUInt32BE(32) * HOUR_MS,
  };
}
