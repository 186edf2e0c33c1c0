import { sql } from "kysely";
import type { Db } from "#server/core/database/db.ts";
import { hashToken } from "#server/core/secrets.ts";

const pendingChanges = (db: Db) => db.selectFrom("authEmailChanges").where("expiresAt", ">", sql<string>`now()`);

/** The address that a person has requested and not confirmed yet. */
export const readPendingEmail = async (db: Db, userId: string) =>
  (await pendingChanges(db).where("userId", "=", userId).select("email").executeTakeFirst())?.email ?? null;

/** The change that a valid link confirms. */
export const findEmailChange = (db: Db, token: string) =>
  pendingChanges(db).where("hash", "=", hashToken(token)).select(["userId", "email"]);
