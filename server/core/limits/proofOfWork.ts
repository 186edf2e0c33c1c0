import { createHmac } from "node:crypto";
import { createChallenge, extractParams, verifySolution } from "altcha-lib/v1";
import type { Services } from "#server/core/services.ts";
import { reserve } from "#server/core/limits/throttle.ts";
import type { Challenge } from "#shared/auth/auth.ts";

const CHALLENGE_MS = 20 * 60_000;

const keyOf = ({ config }: Pick<Services, "config">) =>
  createHmac("sha256", config.secret).update("proof of work").digest("base64url");

/**
 * A proof-of-work challenge for one purpose, such as a form of one event. `maxNumber`: upper limit of the numbers that
 * a browser has to try; a million takes about a second.
 */
export async function newChallenge(
  ctx: Pick<Services, "config">,
  purpose: string,
  maxNumber: number,
): Promise<Challenge> {
  const { algorithm, challenge, salt, signature } = await createChallenge({
    hmacKey: keyOf(ctx),
    maxNumber,
    expires: new Date(Date.now() + CHALLENGE_MS),
    params: { for: purpose },
  });
  return { algorithm, challenge, salt, signature, maxnumber: maxNumber };
}

/** True for the solution of a challenge for this purpose, the first time it is used. */
export async function consumeSolution(
  ctx: Pick<Services, "config" | "db">,
  purpose: string,
  solution: string | undefined,
): Promise<boolean> {
  if (!solution || !(await verifySolution(solution, keyOf(ctx)).catch(() => false))) return false;
  if (extractParams(solution).for !== purpose) return false;
  const { signature } = JSON.parse(Buffer.from(solution, "base64").toString("utf8")) as { signature: string };
  return reserve(ctx.db, ["proof of work", signature], 1, CHALLENGE_MS / 1000);
}
