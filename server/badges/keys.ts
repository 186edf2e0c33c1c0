import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, exportJWK, type JWK } from "jose";
import type { Config } from "#server/core/config.ts";
import type { Db } from "#server/core/database/db.ts";
import { seal, unseal } from "#server/core/secrets.ts";

const PURPOSE = "badges:key";
/** Open Badges 3.0 asks every verifier for RS256 with keys of this length; other algorithms are optional. */
const MODULUS_BITS = 2048;

export type BadgeKey = { id: string; publicKey: JWK; privateKey: KeyObject };

/** The newest key that can be decrypted. A new one is made for a new academy, and after a change of the secret. */
export async function readBadgeKey({ secret }: Pick<Config, "secret">, db: Db): Promise<BadgeKey> {
  const rows = await db.selectFrom("badgeKeys").orderBy("createdAt", "desc").selectAll().execute();
  for (const { id, publicKey, sealedKey } of rows) {
    const opened = unseal(secret, PURPOSE, sealedKey, id);
    if (opened) return { id, publicKey, privateKey: createPrivateKey(opened) };
  }
  return makeKey(secret, db);
}

async function makeKey(secret: string, db: Db): Promise<BadgeKey> {
  const pair = await promisify(generateKeyPair)("rsa", { modulusLength: MODULUS_BITS });
  const publicKey = await exportJWK(pair.publicKey);
  const id = await calculateJwkThumbprint(publicKey);
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await db
    .insertInto("badgeKeys")
    .values({ id, publicKey: JSON.stringify(publicKey), sealedKey: seal(secret, PURPOSE, pem, id) })
    .execute();
  return { id, publicKey, privateKey: pair.privateKey };
}
