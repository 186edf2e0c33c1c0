import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import {
  type Claim,
  claimKey,
  commitmentOf,
  comparable,
  type CourseFacts,
  leafOf,
  type PathFacts,
  type SealedFacts,
} from "#shared/certificates/proof.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import { numberOf } from "#shared/certificates/numbers.ts";

const SALT_BYTES = 32;
/** More than enough for the characters of a number that are not dropped. */
const NUMBER_BYTES = 64;

/** What is known of every completion that gets a certificate. Days are those of the company. */
export type Earned = {
  personId: string;
  companyId: string;
  designId: string;
  content: DesignContent;
  name: string;
  issuerName: string;
  color: string | null;
  rule: string;
  completedOn: string;
  issuedOn: string;
  validUntil: string | null;
};
/** SQL: columns of `Earned`, from `versions`, `users` and `companies`. */
export const earnedColumns = sql`
  versions.id as design_id,
  versions.content,
  coalesce(nullif(users.name, ''), users.email) as name,
  companies.name as issuer_name,
  companies.color,
  (now() at time zone companies.timezone)::date::text as issued_on`;

type Unsealed<F extends SealedFacts> = Omit<F, "number" | Claim>;
/** The facts of one kind of certificate, without those that every kind has. */
export type KindFacts =
  | Pick<CourseFacts, "format" | "course" | "courseVersion">
  | Pick<PathFacts, "format" | "path" | "pathVersion" | "steps" | "courses" | "elsewhere">;

/** The number, salt, facts and leaf of a new certificate. */
export function sealFacts(
  given: Unsealed<CourseFacts> | Unsealed<PathFacts>,
  claims: Record<Claim, string | null>,
): { facts: SealedFacts; salt: Buffer; leaf: Uint8Array } {
  const salt = randomBytes(SALT_BYTES);
  const commit = (claim: Claim) => {
    const value = claims[claim];
    return value === null ? null : commitmentOf(sha256, claimKey(sha256, salt, claim), comparable(claim, value));
  };
  const facts: SealedFacts = {
    number: numberOf(given.issuerName, randomBytes(NUMBER_BYTES)),
    ...given,
    holder: commit("holder") as string,
    score: commit("score"),
    minutes: commit("minutes"),
  };
  return { facts, salt, leaf: leafOf(sha256, facts) };
}

export const textOf = (value: number | null) => (value === null ? null : String(value));

/** The row of a new certificate. */
export async function certificateOf(
  tx: Tx,
  earned: Earned,
  achieved: KindFacts,
  { score, minutes }: { score: number | null; minutes: number | null },
) {
  const { content, companyId, personId, name, issuerName, rule, completedOn, issuedOn, validUntil } = earned;
  const { facts, salt, leaf } = sealFacts(
    {
      issuer: companyId,
      issuerName,
      title: content.title,
      ...achieved,
      rule,
      completedOn,
      issuedOn,
      validUntil,
      replaces: null,
    },
    { holder: name, score: textOf(score), minutes: textOf(minutes) },
  );
  return {
    number: facts.number,
    companyId,
    designId: earned.designId,
    personId,
    name,
    scorePercent: score,
    minutes,
    facts: JSON.stringify(facts),
    brand: JSON.stringify({
      color: earned.color,
      logo: content.logo === "company" ? await keepLogo(tx, companyId) : content.logo,
    }),
    salt,
    leaf: Buffer.from(leaf),
    completedOn,
    validUntil,
  };
}

/** Keeps the present logo of a company for good. Returns its hash; null without a logo. */
async function keepLogo(tx: Tx, companyId: string) {
  const { rows } = await sql<{ hash: string }>`
    with logo as (
      select encode(sha256(logo), 'hex') as hash, logo_type as type, logo as bytes
      from companies
      where id = ${companyId}
        and logo is not null
    ), kept as (
      insert into certificate_pictures (hash, type, bytes)
      select hash, type, bytes
      from logo
      on conflict do nothing
    )
    select hash
    from logo`.execute(tx);
  return rows[0]?.hash ?? null;
}
