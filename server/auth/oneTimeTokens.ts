import { sql } from "kysely";
import type { Db, Tx } from "#server/core/db.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";

type Purpose = "passwordReset" | "verifyEmail" | "secondStep";

/** A token that works once, within `seconds`; only its hash is stored. */
export async function createOneTimeToken(
  db: Db | Tx,
  purpose: Purpose,
  userId: string,
  seconds: number,
  details: Record<string, unknown> = {},
) {
  const token = newToken();
  await db
    .insertInto("authOneTimeTokens")
    .values({
      hash: hashToken(token),
      purpose,
      userId,
      details: JSON.stringify(details),
      expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
    })
    .execute();
  return token;
}

const alive = (token: string) => ({ hash: hashToken(token), now: sql<string>`now()` });

/** Whose ticket this is, without using it up. */
export const readOneTimeToken = (db: Db | Tx, purpose: Purpose, token: string) =>
  db
    .selectFrom("authOneTimeTokens")
    .where("hash", "=", alive(token).hash)
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", alive(token).now)
    .select(["userId", sql<Record<string, string>>`details`.as("details")])
    .executeTakeFirst();

/** Uses a ticket up: of several at once exactly one gets it. */
export const consumeOneTimeToken = (db: Db | Tx, purpose: Purpose, token: string) =>
  db
    .deleteFrom("authOneTimeTokens")
    .where("hash", "=", alive(token).hash)
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", alive(token).now)
    .returning(["userId", sql<Record<string, string>>`details`.as("details")])
    .executeTakeFirst();

/** Every open ticket of a person dies, and what they were linking: the mailbox, the password or the person has changed. */
export async function deleteOneTimeTokens(db: Db | Tx, userId: string) {
  for (const table of ["authOneTimeTokens", "authOauthFlows"] as const)
    await db.deleteFrom(table).where("userId", "=", userId).execute();
}

export const deleteExpiredOneTimeTokens = async (db: Db) => {
  for (const table of ["authOneTimeTokens", "authOauthFlows", "authChallenges"] as const)
    await db
      .deleteFrom(table)
      .where("expiresAt", "<", sql<string>`now()`)
      .execute();
};
