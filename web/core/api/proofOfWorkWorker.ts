import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

export type Challenge = { challenge: string; salt: string; maxnumber: number };

/**
 * Finds the number for which SHA-256 of salt and number is the challenge, and answers it, or null if there is none.
 * Runs in a worker so that typing stays smooth, and without `crypto.subtle`, which is slow for a million short texts.
 */
self.addEventListener("message", ({ data: { challenge, salt, maxnumber } }: MessageEvent<Challenge>) => {
  for (let number = 0; number <= maxnumber; number++)
    if (bytesToHex(sha256(utf8ToBytes(salt + number))) === challenge) return self.postMessage(number);
  self.postMessage(null);
});
