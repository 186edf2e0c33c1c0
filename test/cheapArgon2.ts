import { createRequire } from "node:module";

type Argon2 = typeof import("@node-rs/argon2");
const library = createRequire(import.meta.url)("@node-rs/argon2") as Argon2;

/**
 * argon2id with little memory and one pass, for tests in which thousands of people log in (vitest.config.ts). Tests of
 * processes and journeys hash at full cost.
 */
export const hash: Argon2["hash"] = (password, options, signal) =>
  library.hash(password, { ...options, memoryCost: 1024, timeCost: 1 }, signal);
export const { verify } = library;
