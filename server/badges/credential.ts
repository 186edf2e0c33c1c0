import { createHash, randomBytes, randomUUID } from "node:crypto";
import { z } from "zod";
import { achievedOf, type SealedFacts } from "#shared/certificates/proof.ts";

/** What a badge says. Times are ISO 8601. */
export type Achieved = {
  id: string;
  /** The id of the course or the learning path. */
  achievementId: string;
  facts: SealedFacts;
  name: string;
  /** The holder's verified address when the badge is made. */
  email: string | null;
  /** Start of the day of the completion, in the time zone of the issuer. */
  awardedAt: string;
  issuedAt: string;
  /** End of the last day on which it is valid. */
  expiresAt: string | null;
};
type Issuer = { did: string; url: string; page: string; list: { url: string; position: number } };

const SALT_BYTES = 16;

/**
 * An OpenBadgeCredential (1EdTech Open Badges 3.0). The name is readable; addresses can only be compared, also that of
 * a person who has no other name. The subject has an id of this badge alone, because JWT proofs need one (section 8.2).
 */
export function badgeCredential(
  { id, achievementId, facts, name, email, awardedAt, issuedAt, expiresAt }: Achieved,
  { did, url, page, list }: Issuer,
) {
  const { kind, title, version } = achievedOf(facts);
  return {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    id: `urn:uuid:${id}`,
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: title,
    issuer: { id: did, type: ["Profile"], name: facts.issuerName, url },
    validFrom: issuedAt,
    ...(expiresAt && { validUntil: expiresAt }),
    awardedDate: awardedAt,
    credentialSubject: {
      id: `urn:uuid:${randomUUID()}`,
      type: ["AchievementSubject"],
      identifier: [
        isAddress(name)
          ? hashedAddress(name)
          : { type: "IdentityObject", hashed: false, identityHash: name, identityType: "name" },
        ...(email && email !== name ? [hashedAddress(email)] : []),
      ],
      achievement: {
        id: `urn:uuid:${achievementId}`,
        type: ["Achievement"],
        achievementType: kind === "path" ? "LearningProgram" : "Course",
        name: title,
        description: facts.title,
        version: String(version),
        criteria: { narrative: facts.rule || facts.title },
      },
    },
    evidence: [{ id: page, type: ["Evidence"], name: facts.number }],
    credentialStatus: {
      id: `${list.url}#${list.position}`,
      type: "BitstringStatusListEntry",
      statusPurpose: "revocation",
      statusListIndex: String(list.position),
      statusListCredential: list.url,
    },
  };
}

const isAddress = (name: string) => z.email().safeParse(name).success;

/** An address as wallets compare it: SHA-256 of the address followed by the salt. */
const hashOf = (email: string, salt: string) =>
  `sha256$${createHash("sha256")
    .update(email.toLowerCase() + salt)
    .digest("hex")}`;

function hashedAddress(email: string) {
  const salt = randomBytes(SALT_BYTES).toString("hex");
  return {
    type: "IdentityObject",
    hashed: true,
    identityHash: hashOf(email, salt),
    identityType: "emailAddress",
    salt,
  };
}

type Subject = { identifier?: { identityHash: string; salt?: string }[] };
/** Whether a badge contains the hash of an address. */
export const hasAddress = ({ identifier = [] }: Subject, email: string) =>
  identifier.some(({ identityHash, salt }) => salt !== undefined && identityHash === hashOf(email, salt));
