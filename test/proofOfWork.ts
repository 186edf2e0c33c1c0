import { createHash } from "node:crypto";
import type { Challenge } from "#shared/auth/auth.ts";

/** The challenge that a refused call asks to solve. */
export const challengeIn = ({ body }: { body: unknown }) =>
  (body as { details?: { challenge: Challenge } }).details?.challenge as Challenge;

/** Solves a challenge as the worker of the browser does. */
export function solve({ algorithm, challenge, salt, signature, maxnumber }: Challenge) {
  let number = 0;
  while (number < maxnumber && createHash("sha256").update(`${salt}${number}`).digest("hex") !== challenge) number++;
  return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString("base64");
}
