import { recordAccountAction } from "#server/audit/service.ts";
import { hashPassword, runInPasswordQueue, verifyPassword } from "#server/auth/password/hashing.ts";
import { reservePinAttempt } from "#server/auth/pins/pinLockouts.ts";
import { findById } from "#server/auth/pins/pinPeople.ts";
import type { Client } from "#server/auth/service.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { badField, conflict } from "#server/core/http/problem.ts";
import { isWeakPin } from "#shared/auth/pins.ts";
import type { accounts } from "#shared/auth/account.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

// What people who are logged in do with their own PIN

/** `own`: nobody else knows it. */
export async function findPin(db: Db, userId: string): Promise<"none" | "initial" | "own"> {
  const found = await findById(db, userId);
  if (!found?.pinHash) return "none";
  return found.isInitial ? "initial" : "own";
}

/** The person whose PIN is right; 422 for the field otherwise. Tries count as those of the login do. */
export async function verifyOwnPin(ctx: Ctx<User>, client: Client, typed: string, field: string) {
  const person = await findById(ctx.db, ctx.user.id);
  if (!person?.pinHash) throw conflict("auth.noPinLogin");
  const { companyCode, number, id, pinHash } = person;
  const attempt = await reservePinAttempt(
    ctx,
    client,
    { company: companyCode, number: number.toLowerCase() },
    { userId: id, cardId: null },
  );
  if (!(await runInPasswordQueue(() => verifyPassword(pinHash, typed), { isPriority: true })))
    throw badField(field, "auth.ownPinWrong");
  await attempt.clear();
  return { ...person, pinHash };
}

/** Changes the PIN and ends all sessions except `currentSession`. */
export async function changePin(
  ctx: Ctx<User>,
  client: Client,
  currentSession: string,
  { current, pin }: BodyOf<typeof accounts.changePin>,
) {
  const { id, number, pinHash } = await verifyOwnPin(ctx, client, current, "current");
  if (pin === current || isWeakPin(pin, number)) throw badField("pin", "auth.pinWeak");
  const changed = { pinHash: await hashPassword(pin), isInitial: false, changedAt: new Date().toISOString() };
  await inTransaction(ctx.db, async (tx) => {
    const stored = await tx
      .updateTable("authPins")
      .set(changed)
      .where("userId", "=", id)
      .where("pinHash", "=", pinHash)
      .returning("userId")
      .executeTakeFirst();
    // Changed in another window, or a new one was handed out.
    if (!stored) throw badField("current", "auth.ownPinWrong");
    await tx.deleteFrom("authSessions").where("userId", "=", id).where("id", "!=", currentSession).execute();
    await recordAccountAction(tx, id, "account.pin");
  });
}
