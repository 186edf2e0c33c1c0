import { createChallenge, extractParams, verifySolution } from "altcha-lib/v1";
import { createHmac } from "node:crypto";
import type { Ctx } from "#server/core/http.ts";
import { badField, Problem } from "#server/core/problem.ts";
import { reserve } from "#server/core/throttle.ts";

const HOUR = 3600;
/** What one hour allows: mails to one address, forms from one network, of one person, and for one event. */
const MAILS_TO_ADDRESS = 3;
const FORMS_OF_NETWORK = 100;
const FORMS_OF_PERSON = 20;
const FORMS_OF_EVENT = 3000;
/** Numbers a browser has to try at most: some 0.2 s on a phone. */
const HARDEST = 60_000;
const CHALLENGE_MS = 20 * 60_000;

type Form = { eventId: string; email: string; network: string; userId: string | null; proven: boolean };

/**
 * Counts a form before anything is sent or stored; 429 when it is one too many. The same for addresses that are known and
 * for those that are not. A person whose own mailbox it is cannot bother anybody else.
 */
export async function countForm({ db }: Pick<Ctx, "db">, { eventId, email, network, userId, proven }: Form) {
  const tooMany = (code: "events.tooManyEntries" | "events.tooManyMails") => new Problem(429, code);
  if (userId && !(await reserve(db, ["event forms of person", userId], FORMS_OF_PERSON, HOUR)))
    throw tooMany("events.tooManyEntries");
  if (!userId && !(await reserve(db, ["event forms of network", network], FORMS_OF_NETWORK, HOUR)))
    throw tooMany("events.tooManyEntries");
  if (!(await reserve(db, ["event forms", eventId], FORMS_OF_EVENT, HOUR))) throw tooMany("events.tooManyEntries");
  if (!proven && !(await reserve(db, ["event mails", email], MAILS_TO_ADDRESS, HOUR)))
    throw tooMany("events.tooManyMails");
}

const keyOf = ({ config }: Pick<Ctx, "config">) =>
  createHmac("sha256", config.secret).update("event challenge").digest("base64url");

/** A proof of work for one event: cheap to set, some moments of computing to solve, and good once. */
export async function newChallenge(ctx: Pick<Ctx, "config">, eventId: string) {
  const {
    algorithm,
    challenge,
    salt,
    signature,
    maxnumber = HARDEST,
  } = await createChallenge({
    hmacKey: keyOf(ctx),
    maxNumber: HARDEST,
    expires: new Date(Date.now() + CHALLENGE_MS),
    params: { event: eventId },
  });
  return { algorithm, challenge, salt, signature, maxnumber };
}

/** Refuses a form without a fresh solution of a challenge of ours for this event. */
export async function checkProofOfWork(ctx: Pick<Ctx, "config" | "db">, eventId: string, proof: string | undefined) {
  const wrong = badField("proofOfWork", "events.proofOfWorkRequired");
  if (!proof || !(await verifySolution(proof, keyOf(ctx)).catch(() => false))) throw wrong;
  if (extractParams(proof).event !== eventId) throw wrong;
  const { signature } = JSON.parse(Buffer.from(proof, "base64").toString("utf8")) as { signature: string };
  if (!(await reserve(ctx.db, ["event challenge", signature], 1, CHALLENGE_MS / 1000))) throw wrong;
}
