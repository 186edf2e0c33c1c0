import { createHash, createPrivateKey, type JsonWebKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { Config } from "#server/core/config.ts";
import type { Tx } from "#server/core/database/db.ts";
import { seal, unseal } from "#server/core/secrets.ts";

const PURPOSE = "certificates:key";
export type SigningKey = { id: string; key: KeyObject };

/** The newest key that can be decrypted. A new one is made for a new academy, and after a change of the secret. */
export async function readSigningKey({ secret }: Pick<Config, "secret">, tx: Tx): Promise<SigningKey> {
  const rows = await tx
    .selectFrom("certificateKeys")
    .orderBy("createdAt", "desc")
    .select(["id", "sealedKey"])
    .execute();
  for (const { id, sealedKey } of rows) {
    const opened = unseal(secret, PURPOSE, sealedKey, id);
    if (opened) return { id, key: createPrivateKey({ key: JSON.parse(opened) as JsonWebKey, format: "jwk" }) };
  }
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const x = publicKey.export({ format: "jwk" }).x as string;
  const id = createHash("sha256").update(Buffer.from(x, "base64url")).digest("hex").slice(0, 16);
  await tx
    .insertInto("certificateKeys")
    .values({
      id,
      publicKey: x,
      sealedKey: seal(secret, PURPOSE, JSON.stringify(privateKey.export({ format: "jwk" })), id),
    })
    .execute();
  return { id, key: privateKey };
}

export const signText = ({ key }: SigningKey, text: string) => sign(null, Buffer.from(text), key);
