import { z } from "zod";
import { recordAccountAction } from "#server/audit/service.ts";
import { findKnownDevice } from "#server/auth/cookies.ts";
import { findByNumber } from "#server/auth/pins/pinPeople.ts";
import type { Client } from "#server/auth/service.ts";
import type { Db } from "#server/core/database/db.ts";
import { Problem } from "#server/core/http/problem.ts";
import { job } from "#server/core/jobs.ts";
import { release, releaseAll, reserve } from "#server/core/limits/throttle.ts";
import type { Services } from "#server/core/services.ts";
import { MAX_PIN_TRIES, PIN_LOCK_MINUTES } from "#shared/auth/pins.ts";

// Lockout rules of PINs. A PIN has a million values, so a person has few tries: five in 15 minutes and 20 a day, each
// reserved before it is verified. Keys are made of what was typed, so that unknown numbers answer as known ones do.
//
// Guessing must not lock others out, so tries are counted separately for three kinds of client: those with the person's
// card or own device; devices on which someone from the company has logged in, such as a shared tablet; and all others.
// A stranger can use up only the tries of the last kind. A new PIN clears all counts of the person.

const WINDOW_SECONDS = PIN_LOCK_MINUTES * 60;
const DAY_SECONDS = 86_400;
const MAX_TRIES_A_DAY = 20;
/** Wrong PINs from unknown devices per network in 15 minutes, and for all people of a company a day. */
const MAX_TRIES_PER_NETWORK = 200;
const MAX_TRIES_PER_COMPANY = 100;

/** Company code and personnel number as typed, in lower case. */
export type TypedNumber = { company: string; number: string };

const subjectOf = ({ company, number }: TypedNumber) => `pin ${company} ${number}`;
/** What the device cookie is marked with. */
export const personMark = (userId: string) => `pin ${userId}`;
export const companyMark = (companyCode: string) => `company ${companyCode}`;

const locked = (code: "auth.pinLocked" | "auth.pinLockedToday") =>
  new Problem(429, code, { values: { minutes: PIN_LOCK_MINUTES, count: MAX_PIN_TRIES } });

type Trust = { userId: string | undefined; cardId: string | null };

/** Reserves an attempt to log in with a PIN; `clear` must be called after a success. */
export async function reservePinAttempt(
  { db, config }: Services,
  client: Client,
  typed: TypedNumber,
  { userId, cardId }: Trust,
) {
  const own = userId && findKnownDevice(config, client.cookies, personMark(userId));
  const isCompanyDevice = findKnownDevice(config, client.cookies, companyMark(typed.company)) !== null;
  const subject = subjectOf(typed);
  const others = isCompanyDevice ? "company" : "stranger";
  const device = own ? ["device", own] : [others];
  const trust = cardId ? ["card", cardId] : device;
  const key = ["pin", subject, ...trust];
  const perDay = [...key, "day"];
  const network = ["pin from", client.network];
  const perCompany = ["pins of", typed.company];
  const isStranger = trust[0] === "stranger";
  if (isStranger) {
    if (!(await reserve(db, network, MAX_TRIES_PER_NETWORK, WINDOW_SECONDS))) throw locked("auth.pinLocked");
  }
  if (!(await reserve(db, key, MAX_PIN_TRIES, WINDOW_SECONDS, subject))) {
    await enqueueLockout(db, key, typed);
    throw locked("auth.pinLocked");
  }
  if (!(await reserve(db, perDay, MAX_TRIES_A_DAY, DAY_SECONDS, subject))) throw locked("auth.pinLockedToday");
  if (isStranger && !(await reserve(db, perCompany, MAX_TRIES_PER_COMPANY, DAY_SECONDS)))
    throw locked("auth.pinLockedToday");
  return {
    clear: async () => {
      await release(db, [key, perDay], isStranger ? network : []);
      if (isStranger) await release(db, [], perCompany);
    },
  };
}

/** Clears all counts of a person. */
export const clearPinLockouts = (db: Db, { company, number }: TypedNumber) =>
  releaseAll(db, subjectOf({ company: company.toLowerCase(), number: number.toLowerCase() }));

/** Recorded once per window by a job, so that the answer takes the same time for an unknown number. */
async function enqueueLockout(db: Db, key: string[], typed: TypedNumber) {
  if (await reserve(db, [...key, "recorded"], 1, WINDOW_SECONDS, subjectOf(typed)))
    await recordPinLockout.enqueue(db, typed);
}

export const recordPinLockout = job(
  "auth:pinLocked",
  z.object({ company: z.string(), number: z.string() }),
  async ({ db }, typed) => {
    const person = await findByNumber(db, typed);
    if (person) await recordAccountAction(db, person.id, "account.locked", {}, "nobody");
  },
);
