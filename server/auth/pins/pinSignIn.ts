import type { BetterAuth } from "#server/auth/betterAuth.ts";
import { findKnownDevice, rememberDevices } from "#server/auth/cookies.ts";
import { runInPasswordQueue, verifyPassword } from "#server/auth/password/hashing.ts";
import { companyMark, personMark, reservePinAttempt } from "#server/auth/pins/pinLockouts.ts";
import { findByCard, findByNumber } from "#server/auth/pins/pinPeople.ts";
import { activate, changeInitialPin } from "#server/auth/pins/pins.ts";
import type { Client } from "#server/auth/service.ts";
import { openSession, type SignedIn } from "#server/auth/sessions.ts";
import { inTransaction } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { hashToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { isWeakPin, type pins } from "#shared/auth/pins.ts";
import type { BodyOf } from "#shared/core/route.ts";

type Input = BodyOf<typeof pins.signIn>;

/**
 * Signs a person in with company, personnel number and PIN, or with a card alone if the company accepts it. A PIN that
 * another person knows only works together with a new one.
 */
export async function signInWithPin(
  services: Services,
  library: BetterAuth,
  client: Client,
  input: Input,
): Promise<SignedIn> {
  const typed = { company: input.company, number: input.number.toLowerCase() };
  const person = await verifyPin(services, client, typed, input);
  const isByCard = input.pin === undefined;
  if (!isByCard && person.isInitial) {
    if (input.newPin === undefined) throw new Problem(403, "auth.pinMustChange");
    if (input.newPin === input.pin || isWeakPin(input.newPin, person.number)) throw new Problem(422, "auth.pinWeak");
    await changeInitialPin(services, person, input.newPin);
  } else if (person.status === "invited") await inTransaction(services.db, (tx) => activate(tx, person.id));
  const session = await openSession(services, library, client, person.id, isByCard ? "card" : "pin", {
    isShared: input.shared,
  });
  // A shared device is known to the company only: the next person counts apart from this one.
  const marks = [companyMark(person.companyCode), ...(input.shared ? [] : [personMark(person.id)])];
  return { ...session, cookies: [...session.cookies, rememberDevices(services.config, client.cookies, marks)] };
}

/** The person whose PIN or card is right; 401 for any other, known or not. */
async function verifyPin(services: Services, client: Client, typed: { company: string; number: string }, input: Input) {
  const { db, config } = services;
  const verify = async () => {
    const found = await findByNumber(db, typed);
    const hasCard = input.card !== undefined && found?.cardHash === hashToken(input.card);
    const attempt = await reservePinAttempt(services, client, typed, {
      userId: found?.id,
      cardId: hasCard ? found.cardHash : null,
    });
    const isRight =
      input.pin === undefined ? hasCard && found.pinLogin === "card" : await verifyPassword(found?.pinHash, input.pin);
    if (!found || !isRight) throw new Problem(401, "auth.pinWrong");
    await attempt.clear();
    return found;
  };
  const device = findKnownDevice(config, client.cookies, companyMark(typed.company));
  return runInPasswordQueue(verify, { client: device ?? client.network, isPriority: device !== null });
}

/** What the login page shows after a card was scanned; 404 for a card that was replaced. */
export async function readCard({ db }: Services, card: string) {
  const found = await findByCard(db, card);
  if (!found) throw new Problem(404, "auth.cardInvalid");
  const { company, companyCode, number, pinLogin } = found;
  return { company, companyCode, number, asksPin: pinLogin !== "card" };
}
