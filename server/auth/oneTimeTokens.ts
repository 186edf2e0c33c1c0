import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { hashToken, newToken } from "#server/core/secrets.ts";

type Purpose = "passwordReset" | "verifyEmail" | "secondStep";

/** Creates a token that works once, within `seconds`. Only its hash is stored. */
export async function createOneTimeToken(
  db: Db,
  purpose: Purpose,
  userId: string,
  seconds: number,
  details: Record<string, string> = {},
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

const tokenMatch = (token: string) => ({ hash: hashToken(token), now: sql<string>`now()` });

/** Returns the token's user and details without consuming it; undefined if it is unknown or expired. */
export const readOneTimeToken = (db: Db, purpose: Purpose, token: string) =>
  db
    .selectFrom("authOneTimeTokens")
    .where("hash", "=", tokenMatch(token).hash)
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", tokenMatch(token).now)
    .select(["userId", "details"])
    .executeTakeFirst();

/** Consumes a token. Of several concurrent calls exactly one succeeds. */
export const consumeOneTimeToken = (db: Db, purpose: Purpose, token: string) =>
  db
    .deleteFrom("authOneTimeTokens")
    .where("hash", "=", tokenMatch(token).hash)
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", tokenMatch(token).now)
    .returning(["userId", "details"])
    .executeTakeFirst();

/** Deletes the tokens of a person for one purpose. */
export const deleteTokensFor = (db: Db, userId: string, purpose: Purpose) =>
  db.deleteFrom("authOneTimeTokens").where("userId", "=", userId).where("purpose", "=", purpose).execute();

/** Deletes all tokens, OAuth flows and email changes of a person, after a change of email, password or ownership. */
export async function deleteOneTimeTokens(db: Db, userId: string) {
  for (const table of ["authOneTimeTokens", "authOauthFlows", "authEmailChanges"] as const)
    await db.deleteFrom(table).where("userId", "=", userId).execute();
}

export const deleteExpiredOneTimeTokens = async (db: Db) => {
  for (const table of ["authOneTimeTokens", "authOauthFlows", "authChallenges", "authEmailChanges"] as const)
    await db
      .deleteFrom(table)
      .where("expiresAt", "<", sql<string>`now()`)
      .execute();
};
