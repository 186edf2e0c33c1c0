import { Problem } from "#server/core/problem.ts";

/** Longest path in bytes of UTF-8, as in the vendor's own store. */
const PATH_BYTES = 1024;
/** Control characters, backslashes, lone surrogates, and characters that hide or turn text round. */
const FORBIDDEN = /[\p{Cc}\\\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]|\p{Surrogate}/u;
/** A slash, dot or backslash that was encoded twice. */
const TWICE = /%(2f|2e|5c|25|00)/i;

/**
 * The path of an object as it was sent, decoded once: a label, never a place on a disk. Throws 400 `files.badPath` with
 * the reason for anything that a person could mistake for another path.
 */
export function readPath(encoded: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded).normalize("NFC");
  } catch {
    throw bad("it is not valid UTF-8");
  }
  return checkPath(decoded);
}

/** The same for a path that was decoded already. */
export function checkPath(path: string): string {
  if (path === "") throw bad("it is empty");
  if (Buffer.byteLength(path) > PATH_BYTES) throw bad(`it is longer than ${PATH_BYTES} bytes`);
  if (FORBIDDEN.test(path)) throw bad("it holds characters that cannot be seen or a backslash");
  if (TWICE.test(path)) throw bad("it is encoded twice");
  if (path.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw bad('it holds an empty part, "." or ".."');
  return path;
}

const bad = (reason: string) => new Problem(400, "files.badPath", { values: { reason } });
