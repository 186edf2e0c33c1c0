import { SignJWT } from "jose";
import type { BadgeKey } from "#server/badges/keys.ts";
import type { Config } from "#server/core/config.ts";
import type { Db } from "#server/core/database/db.ts";
import { notFound } from "#server/core/http/problem.ts";

type Site = Pick<Config, "publicUrl">;
/** Times are ISO 8601. */
type Credential = {
  id: string;
  validFrom: string;
  validUntil?: string;
  credentialSubject: { id: string; [property: string]: unknown };
  [property: string]: unknown;
};

/** The identifier of a company as issuer: the did:web method turns it into the address of `didDocument`. */
export function didOf({ publicUrl }: Site, companyId: string) {
  const { host, pathname } = new URL(publicUrl);
  const path = [...pathname.split("/"), "api", "issuers", companyId].filter(Boolean);
  return ["did", "web", encodeURIComponent(host), ...path].join(":");
}

/** The public keys with which badges of a company are signed (W3C DID Core, did:web). 404 before its first badge. */
export async function didDocument({ config, db }: { config: Site; db: Db }, companyId: string) {
  await db
    .selectFrom("badgeLists")
    .where("companyId", "=", companyId)
    .where("number", "=", 0)
    .select("number")
    .executeTakeFirstOrThrow(notFound);
  const did = didOf(config, companyId);
  const keys = await db.selectFrom("badgeKeys").orderBy("createdAt").select(["id", "publicKey"]).execute();
  const methods = keys.map(({ id, publicKey }) => ({
    id: `${did}#${id}`,
    type: "JsonWebKey",
    controller: did,
    publicKeyJwk: publicKey,
  }));
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/jwk/v1"],
    id: did,
    verificationMethod: methods,
    assertionMethod: methods.map(({ id }) => id),
  };
}

const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);

/** A credential as compact JWS, as Open Badges 3.0 describes it (section 8.2): its own properties and JWT claims. */
export const signCredential = (key: BadgeKey, issuer: string, credential: Credential) =>
  new SignJWT({
    ...credential,
    iss: issuer,
    jti: credential.id,
    sub: credential.credentialSubject.id,
    nbf: seconds(credential.validFrom),
    ...(credential.validUntil && { exp: seconds(credential.validUntil) }),
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: `${issuer}#${key.id}`, jwk: key.publicKey })
    .sign(key.privateKey);
