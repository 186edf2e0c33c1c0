import { createPublicKey, verify, X509Certificate } from "node:crypto";
import { fail, isObject } from "#server/statements/validation/fields.ts";
import { checkStatement } from "#server/statements/validation/statement.ts";
import { isSameStatement } from "#server/statements/sameStatement.ts";
import type { XapiVersion } from "#server/statements/versions.ts";
import { type Attachment, SIGNATURE, type Statement } from "#shared/statements/xapi.ts";

const HASHES: Record<string, string> = { RS256: "sha256", RS384: "sha384", RS512: "sha512" };

/**
 * Checks the signatures of a statement (xAPI 1.0.3, Data 2.6): each is an attached JWS (RFC 7515) with RS256, RS384 or
 * RS512, and its payload is the statement. A signature that carries its certificate is verified.
 */
export function checkSignatures(statement: Statement, files: ReadonlyMap<string, Buffer>, version: XapiVersion) {
  for (const attachment of statement.attachments ?? [])
    if (attachment.usageType === SIGNATURE) checkSignature(statement, attachment, files, version);
}

function checkSignature(
  statement: Statement,
  { contentType, sha2 }: Attachment,
  files: ReadonlyMap<string, Buffer>,
  version: XapiVersion,
) {
  const path = "the signature";
  if (contentType !== "application/octet-stream") throw fail(path, "is not application/octet-stream");
  const text = files.get(sha2.toLowerCase())?.toString("latin1");
  if (text === undefined) throw fail(path, "is not among the attachments of the request");
  const [header = "", payload = "", signature = "", ...more] = text.trim().split(".");
  if (signature === "" || more.length > 0) throw fail(path, "is not a JWS");
  const { alg, x5c } = parsePart(header, path);
  const hash = typeof alg === "string" ? HASHES[alg] : undefined;
  if (!hash) throw fail(path, "is not made with RS256, RS384 or RS512");
  const { iat: _, ...signed } = parsePart(payload, path);
  if (!isSigned(statement, signed, version)) throw fail(path, "is of another statement");
  if (x5c === undefined) return;
  const [certificate] = Array.isArray(x5c) ? (x5c as unknown[]) : [];
  if (!isVerified(hash, `${header}.${payload}`, signature, certificate)) throw fail(path, "is not valid");
}

/** The payload does not contain the signature itself, and may lack what the store fills in. */
function isSigned(statement: Statement, signed: Record<string, unknown>, version: XapiVersion) {
  const { attachments: _, ...sent } = statement;
  const { attachments: __, ...payload } = structuredClone(signed);
  try {
    return isSameStatement(checkStatement(payload, version), sent);
  } catch {
    return false;
  }
}

function parsePart(part: string, path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (isObject(parsed)) return parsed;
  } catch {
    // Refused below.
  }
  throw fail(path, "is not a JWS of JSON");
}

function isVerified(hash: string, text: string, signature: string, certificate: unknown) {
  try {
    const { publicKey } = new X509Certificate(Buffer.from(String(certificate), "base64"));
    const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
    return verify(hash, Buffer.from(text), key, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}
