// How certificates are sealed. Used by the server, the browser and scripts/verify-proof.ts, each with its own SHA-256.
// docs/decisions/0055-certificates.md describes the format for those who check it with other programs.

export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/**
 * The sealed facts of a certificate. Days are those of the issuer's time zone. `holder`, `score` and `minutes` are
 * salted hashes (`commitmentOf`), so that they can be disclosed one by one.
 */
type CommonFacts = {
  number: string;
  issuer: string;
  issuerName: string;
  title: string;
  /** How it was completed, in words. */
  rule: string;
  completedOn: string;
  issuedOn: string;
  validUntil: string | null;
  /** The number of the certificate that this one was issued in place of. */
  replaces: string | null;
  holder: string;
  score: string | null;
  minutes: string | null;
};
export type CourseFacts = CommonFacts & { format: "lyceum-certificate-1"; course: string; courseVersion: number };
/**
 * Of a learning path: its version, the number of its steps, and the titles of the courses that counted; `elsewhere` are
 * those that were completed elsewhere.
 */
export type PathFacts = CommonFacts & {
  format: "lyceum-path-certificate-1";
  path: string;
  pathVersion: number;
  steps: number;
  courses: string[];
  elsewhere: string[];
};
export type SealedFacts = CourseFacts | PathFacts;
export type Claim = "holder" | "score" | "minutes";

/** What was completed: a course or a learning path, with the courses that counted for it. */
export function achievedOf(facts: SealedFacts) {
  if (facts.format === "lyceum-certificate-1")
    return { kind: "course" as const, title: facts.course, version: facts.courseVersion, courses: [], elsewhere: [] };
  const { path, pathVersion, courses, elsewhere } = facts;
  return { kind: "path" as const, title: path, version: pathVersion, courses, elsewhere };
}

/** The root of an issuer's tree at the end of a day (UTC), with an Ed25519 signature of everything else in it. */
export type SignedHead = {
  format: "lyceum-head-1";
  issuer: string;
  day: string;
  root: string;
  key: string;
  signature: string;
};

/** A proof file. `path` leads from the leaf to the root; `disclosed` has the value and the key of each open claim. */
export type ProofFile = {
  format: "lyceum-proof-1";
  facts: SealedFacts;
  disclosed: Partial<Record<Claim, { value: string; key: string }>>;
  path: string[];
  head: SignedHead;
  /** The public key by which the head was signed, base64url. */
  publicKey: string;
  /** The reply of a time-stamping authority (RFC 3161) about the head, base64, where the academy uses one. */
  timestamp?: string;
};

const utf8 = new TextEncoder();
export const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const concat = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** JSON with sorted keys and without spaces; the objects that are sealed or signed contain texts and lists of texts. */
export const canonicalJson = (value: object) =>
  JSON.stringify(Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))));

// The prefixes of RFC 6962 keep leaves and nodes apart.
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafOf = (sha256: Sha256, facts: SealedFacts) => sha256(concat(LEAF, utf8.encode(canonicalJson(facts))));

/** The smaller child comes first, so that a path does not tell the position of its leaf. */
export function nodeOf(sha256: Sha256, a: Uint8Array, b: Uint8Array) {
  const [first, second] = toHex(a) < toHex(b) ? [a, b] : [b, a];
  return sha256(concat(NODE, first, second));
}

export const rootOfPath = (sha256: Sha256, leaf: Uint8Array, path: readonly string[]) =>
  path.reduce((hash, sibling) => nodeOf(sha256, hash, fromHex(sibling)), leaf);

/** The key of one claim: it opens this claim only. */
export const claimKey = (sha256: Sha256, salt: Uint8Array, claim: Claim) => sha256(concat(salt, utf8.encode(claim)));
export const commitmentOf = (sha256: Sha256, key: Uint8Array, value: string) =>
  toHex(sha256(concat(key, utf8.encode(value))));

/** A name as it is sealed: without differences of case, of spaces, and of how letters are encoded. */
export const comparableName = (name: string) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
export const comparable = (claim: Claim, value: string) => (claim === "holder" ? comparableName(value) : value);

/** What is signed. */
export const headText = ({ format, issuer, day, root, key }: Omit<SignedHead, "signature">) =>
  canonicalJson({ format, issuer, day, root, key });
