import { z } from "zod";

/** A proof-of-work challenge (ALTCHA, version 1): find the number up to `maxnumber` for which SHA-256 of `salt` and number is `challenge`. */
export const challenge = z.object({
  algorithm: z.string(),
  challenge: z.string(),
  salt: z.string(),
  signature: z.string(),
  maxnumber: z.int(),
});
export type Challenge = z.infer<typeof challenge>;

/** A solved challenge: base64 of JSON. */
export const solution = z.string().max(4000);
