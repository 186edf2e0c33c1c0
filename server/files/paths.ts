import { Problem } from "#server/core/http/problem.ts";

/** Longest path in bytes of UTF-8, as in Firebase Storage. */
const MAX_PATH_BYTES = 1024;
/** Control characters, backslashes, lone surrogates, and invisible or bidirectional formatting characters. */
const FORBIDDEN = /[\p{Cc}\\\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]|\p{Surrogate}/u;
/** A slash, dot, backslash, percent sign or NUL that was encoded twice. */
const DOUBLE_ENCODED = /%(2f|2e|5c|25|00)/i;

/**
 * Decodes and checks the path of an object. A path is only a label, never a location on disk. Throws 400
 * `files.badPath` with the reason for anything that could be mistaken for another path.
 */
export function readPath(encoded: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded).normalize("NFC");
  } catch {
    throw badPath("it is not valid UTF-8");
  }
  return checkPath(decoded);
}

/** Checks a decoded path; throws like `readPath`. */
export function checkPath(path: string): string {
  if (path === "") throw badPath("it is empty");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw badPath(`it is longer than ${MAX_PATH_BYTES} bytes`);
  if (FORBIDDEN.test(path)) throw badPath("it contains invisible characters or a backslash");
  if (DOUBLE_ENCODED.test(path)) throw badPath("it is encoded twice");
  if (path.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw badPath('it contains an empty part, "." or ".."');
  return path;
}

const badPath = (reason: string) => new Problem(400, "files.badPath", { values: { reason } });
