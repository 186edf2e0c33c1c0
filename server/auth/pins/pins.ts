import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { record, recordAccountAction } from "#server/audit/service.ts";
import { hashPassword } from "#server/auth/password/hashing.ts";
import { clearPinLockouts } from "#server/auth/pins/pinLockouts.ts";
import { findById } from "#server/auth/pins/pinPeople.ts";
import { endSessions } from "#server/auth/service.ts";
import { inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, Problem } from "#server/core/http/problem.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";
import type { Services } from "#server/core/services.ts";
import { isWeakPin, type IssuedPin, MIN_PIN_DIGITS } from "#shared/auth/pins.ts";
import type { User } from "#shared/core/users.ts";

function newPin(number: string): string {
  const pin = Array.from({ length: MIN_PIN_DIGITS }, () => randomInt(10)).join("");
  return isWeakPin(pin, number) ? newPin(number) : pin;
}

/**
 * Gives a person a new PIN, which they change at their next login, and a card if they have none or `newCard`. Both are
 * returned once. Ends the sessions of the person and every lockout. The caller has checked that the person is in the
 * scope of the user.
 */
export async function issuePin(ctx: Ctx<User>, userId: string, { newCard }: { newCard: boolean }): Promise<IssuedPin> {
  const person = await findById(ctx.db, userId);
  if (!person) throw conflict("auth.noPinLogin");
  if (person.status === "suspended") throw conflict("auth.pinOfSuspended");
  const { name, company, companyCode, number } = person;
  const pin = newPin(number);
  const pinHash = await hashPassword(pin);
  return inTransaction(ctx.db, async (tx) => {
    // Two people may issue one at once: the lock leaves the PIN and the card of the last.
    await tx.selectFrom("users").where("id", "=", userId).select("id").forUpdate().executeTakeFirstOrThrow();
    const current = await findById(tx, userId);
    if (!current) throw conflict("auth.noPinLogin");
    const card = newCard || !current.cardHash ? newToken() : null;
    const values = { pinHash, isInitial: true, issuedAt: new Date().toISOString(), issuedBy: ctx.user.id };
    const cardHash = card ? hashToken(card) : (current.cardHash as string);
    await tx
      .insertInto("authPins")
      .values({ userId, cardHash, ...values })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet({ cardHash, ...values }))
      .execute();
    await endSessions(tx, [userId]);
    await clearPinLockouts(tx, { company: companyCode, number });
    await record(tx, ctx, {
      action: "learners.pin",
      people: [userId],
      companyId: person.companyId,
      details: { cards: card ? 1 : 0 },
    });
    return { name, company, companyCode, number, pin, card };
  });
}

type PinPerson = { id: string; status: string; pinHash: string | null };

/** Replaces a PIN that another person knows. Of several concurrent changes exactly one succeeds. */
export async function changeInitialPin({ db }: Services, { id, status, pinHash }: PinPerson, pin: string) {
  const changed = { pinHash: await hashPassword(pin), isInitial: false, changedAt: new Date().toISOString() };
  await inTransaction(db, async (tx) => {
    const stored = await tx
      .updateTable("authPins")
      .set(changed)
      .where("userId", "=", id)
      .where("pinHash", "=", pinHash)
      .where("isInitial", "=", true)
      .returning("userId")
      .executeTakeFirst();
    if (!stored) throw new Problem(401, "auth.pinWrong");
    if (status === "invited") await activate(tx, id);
    await recordAccountAction(tx, id, "account.pin");
  });
}

/** The first login of an invited person. */
export const activate = (tx: Tx, userId: string) =>
  tx
    .updateTable("users")
    .set({ status: "active", activatedVia: "pin", updatedAt: sql<string>`now()` })
    .where("id", "=", userId)
    .where("status", "=", "invited")
    .execute();
