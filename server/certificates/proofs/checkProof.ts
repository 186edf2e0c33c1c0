import { createHash, createPublicKey, verify } from "node:crypto";
import {
  achievedOf,
  type Claim,
  commitmentOf,
  comparable,
  fromHex,
  headText,
  leafOf,
  type ProofFile,
  rootOfPath,
  toHex,
} from "#shared/certificates/proof.ts";
import { haveShape } from "#server/certificates/proofs/factShapes.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import { readReply } from "#server/certificates/proofs/timestampReply.ts";

const CLAIMS: Record<Claim, string> = { holder: "name", score: "score in percent", minutes: "active minutes" };

/** The id of a public key: the beginning of its SHA-256. */
export const keyIdOf = (publicKey: string) =>
  createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex").slice(0, 16);

/** Whether a head was signed by this key. */
export function isSignedBy(publicKey: string, head: ProofFile["head"]) {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, Buffer.from(headText(head)), key, Buffer.from(head.signature, "base64url"));
  } catch {
    return false;
  }
}

function describeAchieved(facts: ProofFile["facts"]) {
  const { kind, title, version, courses, elsewhere } = achievedOf(facts);
  if (kind === "course") return [`course: ${title}, version ${version}`];
  return [
    `learning path: ${title}, version ${version}`,
    ...courses.map((course) => `with the course: ${course}`),
    ...elsewhere.map((course) => `with the course, completed elsewhere: ${course}`),
  ];
}

/** Days after the beginning of the day of a tree until it is time-stamped at the latest. */
const MAX_DAYS = 9;

/** What the time stamp of a proof file says, if it has one, and what does not fit. */
export async function checkTimestamp({ head, timestamp }: ProofFile): Promise<{ lines: string[]; problems: string[] }> {
  if (timestamp === undefined) return { lines: [], problems: [] };
  try {
    const { at, authority } = await readReply(Buffer.from(String(timestamp), "base64"), headText(head));
    const days = (at.getTime() - Date.parse(`${head.day}T00:00:00Z`)) / 86_400_000;
    return {
      lines: [
        `the signed tree was time-stamped ${at.toISOString()} by a certificate that calls itself ${authority}`,
        "whether to trust that certificate: openssl ts -verify, with the root certificate of the authority",
      ],
      problems: days < 1 || days > MAX_DAYS ? ["the time stamp is of another time than the tree"] : [],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { lines: [], problems: [`the time stamp does not fit: ${reason}`] };
  }
}

/** Checks a proof file by itself: what it proves, line by line, and everything that does not fit. */
export function checkProof(proof: ProofFile, expectedKey?: string): { lines: string[]; problems: string[] } {
  if (proof?.format !== "lyceum-proof-1" || !proof.facts || !Array.isArray(proof.path) || !proof.head)
    return { lines: [], problems: ["the file is not a proof of Lyceum"] };
  const { facts, disclosed, path, head, publicKey } = proof;
  const problems: string[] = [];
  if (!haveShape(facts)) return { lines: [], problems: ["the facts are not those of a certificate"] };
  const root = toHex(rootOfPath(sha256, leafOf(sha256, facts), path));
  if (root !== head.root) problems.push("the facts are not those in the signed tree");
  if (head.issuer !== facts.issuer) problems.push("the signed tree belongs to another issuer");
  if (head.key !== keyIdOf(publicKey) || !isSignedBy(publicKey, head)) problems.push("the signature is not valid");
  if (expectedKey !== undefined && expectedKey !== publicKey)
    problems.push("the key is not the one that you have given");
  const opened = Object.entries(disclosed ?? {}).map(([claim, { value, key }]) => {
    const name = claim as Claim;
    if (commitmentOf(sha256, fromHex(key), comparable(name, value)) !== facts[name])
      problems.push(`the ${CLAIMS[name]} is not the sealed one`);
    return `${CLAIMS[name]}: ${value}`;
  });
  const lines = [
    `certificate: ${facts.number}${facts.replaces ? `, in place of ${facts.replaces}` : ""}`,
    `issued by: ${facts.issuerName}`,
    ...describeAchieved(facts),
    `rule: ${facts.rule}`,
    `completed ${facts.completedOn}, issued ${facts.issuedOn}`,
    facts.validUntil ? `valid until ${facts.validUntil}` : "no end of validity",
    ...opened,
    `in the tree signed on ${head.day} (UTC) with key ${publicKey}`,
  ];
  return { lines, problems };
}
