import { randomBytes } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import { sha256 } from "#server/certificates/proofs/sha256.ts";
import {
  type Claim,
  claimKey,
  commitmentOf,
  comparable,
  leafOf,
  type SealedFacts,
} from "#shared/certificates/proof.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import { numberOf } from "#shared/certificates/numbers.ts";

const SALT_BYTES = 32;
/** More than enough for the characters of a number that are not dropped. */
const NUMBER_BYTES = 64;

type Subject = {
  completionId: number;
  personId: string;
  companyId: string;
  courseId: string;
  designId: string;
  content: DesignContent;
  name: string;
  issuerName: string;
  color: string | null;
  course: string;
  courseVersion: number;
  rule: string;
  completedOn: string;
  issuedOn: string;
  validUntil: string | null;
  scorePercent: number | null;
  activeSeconds: number;
};

/**
 * Completions of people who are still there, in courses whose certificate is on. Days are those of the company. The
 * course has the title that it has when the certificate is issued.
 */
const findSubjects = (tx: Tx, condition: RawBuilder<unknown>, limit: number) =>
  sql<Subject>`
    select
      completion_history.id as completion_id,
      completion_history.person_id,
      completion_history.company_id,
      completion_history.course_id,
      versions.id as design_id,
      versions.content,
      coalesce(nullif(users.name, ''), users.email) as name,
      companies.name as issuer_name,
      companies.color,
      courses.title as course,
      course_versions.number as course_version,
      coalesce(completion_history.rule_text, '') as rule,
      days.completed::text as completed_on,
      (now() at time zone companies.timezone)::date::text as issued_on,
      -- What the company requires counts, so that the certificate and the compliance page name the same day.
      case
        when requirements.enrolment_id is null
          then (days.completed + make_interval(months => (versions.content ->> 'months')::int))::date
        else requirements.valid_until
      end::text as valid_until,
      completion_history.score_percent,
      completion_history.active_seconds
    from completion_history
    join certificate_designs designs on designs.course_id = completion_history.course_id and designs.enabled
    join certificate_design_versions versions
      on versions.course_id = designs.course_id
      and versions.number = designs.number
    join users on users.id = completion_history.person_id
    join companies on companies.id = completion_history.company_id
    join courses on courses.id = completion_history.course_id
    join course_versions on course_versions.id = completion_history.version_id
    cross join lateral (
      select (completion_history.happened_at at time zone companies.timezone)::date as completed
    ) days
    left join requirements
      on requirements.enrolment_id = completion_history.enrolment_id
      and requirements.completed_on = days.completed
    where ${condition}
      and ${lacksCertificate}
    order by completion_history.id
    limit ${limit}`
    .execute(tx)
    .then(({ rows }) => rows);

/** SQL condition: the completion stands, was made here and not elsewhere, and has no certificate. */
export const lacksCertificate = sql<boolean>`(
  not exists (
    select from completion_withdrawals
    where completion_withdrawals.completion_id = completion_history.id
  )
  and not exists (
    select from external_completions
    where external_completions.attempt_id = completion_history.attempt_id
      and external_completions.ended_at is null
  )
  and not exists (
    select from certificates
    where certificates.completion_id = completion_history.id
      and certificates.replaces is null
  )
)`;

/** Issues the certificate of a completion if its course has one, and it was not issued before. */
export async function issueForCompletion(tx: Tx, completionId: number) {
  const [subject] = await findSubjects(tx, sql`completion_history.id = ${completionId}`, 1);
  if (subject) await issue(tx, subject);
}

/** Revokes the valid certificate of a completion that was taken back. */
export const revokeForCompletion = (tx: Tx, completionId: number) =>
  sql`
    update certificates
    set revoked_at = now(),
      revoked_by = history_actor(),
      revoked_reason = case
        when history_reason() like 'completions.%' then ${"An admin took the completion back."}
        else ${"The completion was taken back when the completion rule of the course changed."}
      end
    where completion_id = ${completionId}
      and revoked_at is null
      and not exists (
        select from certificates newer
        where newer.replaces = certificates.id
      )`
    .execute(tx)
    .then(() => undefined);

/** SQL condition: completions of a course that have no certificate, after the one with this id. */
export const ofCourseAfter = (courseId: string, completionId: number) =>
  sql`completion_history.course_id = ${courseId} and completion_history.id > ${completionId}`;

/** Issues certificates for the next completions of a course without one. Returns the last id, or null at the end. */
export async function issueNextMissing(tx: Tx, courseId: string, after: number, limit: number) {
  const subjects = await findSubjects(tx, ofCourseAfter(courseId, after), limit);
  for (const subject of subjects) await issue(tx, subject);
  return subjects.length < limit ? null : (subjects.at(-1)?.completionId ?? null);
}

/** The numbers, salt, facts and leaf of a new certificate. */
export function sealFacts(
  given: Omit<SealedFacts, "format" | "number" | Claim>,
  claims: Record<Claim, string | null>,
): { facts: SealedFacts; salt: Buffer; leaf: Uint8Array } {
  const salt = randomBytes(SALT_BYTES);
  const commit = (claim: Claim) => {
    const value = claims[claim];
    return value === null ? null : commitmentOf(sha256, claimKey(sha256, salt, claim), comparable(claim, value));
  };
  const facts: SealedFacts = {
    format: "lyceum-certificate-1",
    number: numberOf(given.issuerName, randomBytes(NUMBER_BYTES)),
    ...given,
    holder: commit("holder") as string,
    score: commit("score"),
    minutes: commit("minutes"),
  };
  return { facts, salt, leaf: leafOf(sha256, facts) };
}

async function issue(tx: Tx, subject: Subject) {
  const { content } = subject;
  const score = content.fields.includes("score") ? roundedScore(subject.scorePercent) : null;
  // Half a minute or less says nothing.
  const minutes = (content.fields.includes("minutes") && Math.round(subject.activeSeconds / 60)) || null;
  const { facts, salt, leaf } = sealFacts(
    {
      issuer: subject.companyId,
      issuerName: subject.issuerName,
      title: content.title,
      course: subject.course,
      courseVersion: subject.courseVersion,
      rule: subject.rule,
      completedOn: subject.completedOn,
      issuedOn: subject.issuedOn,
      validUntil: subject.validUntil,
      replaces: null,
    },
    { holder: subject.name, score: textOf(score), minutes: textOf(minutes) },
  );
  await tx
    .insertInto("certificates")
    .values({
      number: facts.number,
      companyId: subject.companyId,
      courseId: subject.courseId,
      designId: subject.designId,
      completionId: subject.completionId,
      personId: subject.personId,
      name: subject.name,
      scorePercent: score,
      minutes,
      facts: JSON.stringify(facts),
      brand: JSON.stringify({
        color: subject.color,
        logo: content.logo === "company" ? await keepLogo(tx, subject.companyId) : content.logo,
      }),
      salt,
      leaf: Buffer.from(leaf),
      completedOn: subject.completedOn,
      validUntil: subject.validUntil,
    })
    .onConflict((conflict) => conflict.column("completionId").where("replaces", "is", null).doNothing())
    .execute();
}

const roundedScore = (percent: number | null) => (percent === null ? null : Math.round(percent * 10) / 10);
export const textOf = (value: number | null) => (value === null ? null : String(value));

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
