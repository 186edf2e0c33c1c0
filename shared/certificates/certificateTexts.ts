import {
  type CertificateKind,
  type DesignContent,
  designField,
  type DesignField,
} from "#shared/certificates/designs.ts";
import type { CertificateTexts } from "#shared/certificates/layout.ts";
import type { SealedFacts } from "#shared/certificates/proof.ts";
import { roundPercent } from "#shared/core/percent.ts";
import texts from "#shared/locales/en/certificates.json" with { type: "json" };
import { fillText } from "#shared/variables/templates.ts";

export type Facts = Pick<SealedFacts, "number" | "issuerName" | "completedOn" | "issuedOn" | "validUntil"> & {
  /** The title of the course or the learning path. */
  course: string;
  name: string;
  scorePercent: number | null;
  minutes: number | null;
  /** The number of courses that counted for a learning path. */
  courses: number | null;
};
const words = texts.print;
const format = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A calendar day as `4 Nov 2026`. */
export const printDay = (day: string) => format.format(new Date(`${day}T12:00:00Z`));

/** What a certificate says; a fact that is not known is left out, and its cell closes up. */
export function certificateTexts({ fields }: DesignContent, facts: Facts, publicUrl: string): CertificateTexts {
  const values: Record<DesignField, string | null> = {
    score: facts.scorePercent === null ? null : `${roundPercent(facts.scorePercent)} %`,
    completed: printDay(facts.completedOn),
    validUntil: facts.validUntil && printDay(facts.validUntil),
    minutes: facts.minutes === null ? null : fillText(words.minutesOf, { n: facts.minutes }),
    courses: facts.courses === null ? null : String(facts.courses),
  };
  return {
    name: facts.name,
    issuer: facts.issuerName,
    number: facts.number,
    issued: fillText(words.issued, { day: printDay(facts.issuedOn) }),
    course: facts.course,
    facts: designField.options.flatMap((field) =>
      fields.includes(field) && values[field] !== null ? [{ label: words[field], value: values[field] }] : [],
    ),
    checkAt: words.checkAt,
    address: `${publicUrl.replace(/^https?:\/\//, "")}/verify`,
    qrAlt: fillText(words.qr, { number: facts.number }),
    signatureAlt: words.signature,
    logoAlt: fillText(words.logo, { issuer: facts.issuerName }),
  };
}

/** Facts for a design that nobody has earned yet. */
export function sampleFacts(kind: CertificateKind, name: string, course: string, months: number | null): Facts {
  const isPath = kind === "path";
  const today = new Date().toISOString().slice(0, 10);
  const until = new Date(`${today}T12:00:00Z`);
  if (months) until.setUTCMonth(until.getUTCMonth() + months);
  return {
    number: words.sample,
    issuerName: words.sampleIssuer,
    course,
    name,
    completedOn: today,
    issuedOn: today,
    validUntil: months ? until.toISOString().slice(0, 10) : null,
    scorePercent: isPath ? null : 92,
    minutes: isPath ? null : 52,
    courses: isPath ? 5 : null,
  };
}
