import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import { sql } from "kysely";
import type { Config } from "#server/core/config.ts";
import { type Db, inTransaction } from "#server/core/database/db.ts";
import { seal, unseal } from "#server/core/secrets.ts";

const PURPOSE = "badges:key";
/** Open Badges 3.0 asks every verifier of JWT proofs for RS256 with keys of this length (section 8.2). */
const MODULUS_BITS = 2048;

export type BadgeKey = { id: string; publicKey: JWK; privateKey: KeyObject };

/** The newest key that can be decrypted. A new one is made for a new academy, and after a change of the secret. */
export const readBadgeKey = async ({ secret }: Pick<Config, "secret">, db: Db): Promise<BadgeKey> =>
  (await findKey(secret, db)) ?? makeKey(secret, db);

async function findKey(secret: string, db: Db): Promise<BadgeKey | null> {
  const rows = await db.selectFrom("badgeKeys").orderBy("createdAt", "desc").selectAll().execute();
  for (const { id, publicKey, sealedKey } of rows) {
    const opened = unseal(secret, PURPOSE, sealedKey, id);
    if (opened) return { id, publicKey, privateKey: createPrivateKey(opened) };
  }
  return null;
}

async function makeKey(secret: string, db: Db): Promise<BadgeKey> {
  const { privateKey, publicKey: made } = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  const publicKey = await exportJWK(made);
  const id = await calculateJwkThumbprint(publicKey);
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return inTransaction(db, async (tx) => {
    await sql`lock table badge_keys in share row exclusive mode`.execute(tx);
    // Another call, perhaps on another node, may have stored one meanwhile: the academy needs only one.
    const found = await findKey(secret, tx);
    if (found) return found;
    const sealedKey = seal(secret, PURPOSE, pem, id);
    await tx
      .insertInto("badgeKeys")
      .values({ id, publicKey: JSON.stringify(publicKey), sealedKey })
      .execute();
    return { id, publicKey, privateKey };
  });
}
