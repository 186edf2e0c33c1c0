import { sha256 } from "#web/events/registration/sha256.ts";

export type Challenge = { challenge: string; salt: string; maxnumber: number };

/** Finds the number whose salted hash is the challenge; null if there is none. A worker, so that typing is not blocked. */
self.onmessage = ({ data: { challenge, salt, maxnumber } }: MessageEvent<Challenge>) => {
  for (let number = 0; number <= maxnumber; number++)
    if (sha256(salt + number) === challenge) return self.postMessage(number);
  self.postMessage(null);
};
