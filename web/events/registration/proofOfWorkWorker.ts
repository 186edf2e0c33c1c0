import { sha256 } from "#web/events/registration/sha256.ts";

export type Challenge = { challenge: string; salt: string; maxnumber: number };

/** Finds the number whose hash behind the salt is the challenge; answers null when there is none. Beside the page, so that typing stays smooth. */
self.onmessage = ({ data: { challenge, salt, maxnumber } }: MessageEvent<Challenge>) => {
  for (let number = 0; number <= maxnumber; number++)
    if (sha256(salt + number) === challenge) return self.postMessage(number);
  self.postMessage(null);
};
