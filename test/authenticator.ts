import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** What an authenticator or a hostile client sends; each value can be wrong. */
export type Claims = {
  challenge: string;
  origin?: string;
  rpId?: string;
  counter?: number;
  type?: string;
  isUserVerified?: boolean;
  crossOrigin?: boolean;
};

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };
const hash = (data: string | Buffer) => createHash("sha256").update(data).digest();

/** A passkey in software (WebAuthn Level 2, ES256, attestation "none"). */
export function createAuthenticator(origin = "http://localhost:1") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(16);
  const id = credentialId.toString("base64url");
  const coseKey = Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    ),
  );
  const clientData = (type: string, claims: Claims) =>
    Buffer.from(
      JSON.stringify({
        type: claims.type ?? type,
        challenge: claims.challenge,
        origin: claims.origin ?? origin,
        crossOrigin: claims.crossOrigin ?? false,
      }),
    );
  const authenticatorData = ({ rpId = "localhost", counter = 1, isUserVerified = true }: Claims, attested?: Buffer) => {
    const flags = FLAGS.present | (isUserVerified ? FLAGS.verified : 0) | (attested ? FLAGS.attested : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([hash(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)]);
  };
  const credential = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });
  return {
    id,
    register(claims: Claims) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = authenticatorData(claims, Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]));
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", new Uint8Array(authData)],
        ]) as never,
      );
      return credential({
        clientDataJSON: clientData("webauthn.create", claims).toString("base64url"),
        attestationObject: Buffer.from(attestation).toString("base64url"),
      });
    },
    sign(claims: Claims) {
      const client = clientData("webauthn.get", claims);
      const authData = authenticatorData(claims);
      const signature = createSign("sha256")
        .update(Buffer.concat([authData, hash(client)]))
        .sign(privateKey);
      return credential({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: Buffer.from("somebody else").toString("base64url"),
      });
    },
  };
}
