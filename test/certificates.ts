import { certificates } from "#shared/certificates/certificates.ts";
import type { DesignContent } from "#shared/certificates/designs.ts";
import type { CompanyInput } from "#shared/companies/companies.ts";
import { courses } from "#shared/courses/courses.ts";
import { committer, openPart, setValue } from "#test/commits.ts";
import { bodyOf } from "#test/probes.ts";
import type { Person, start } from "#test/start.ts";

/** A design with everything that needs no picture. */
export const sampleDesign: DesignContent = {
  paper: "a4",
  orientation: "landscape",
  side: "arches",
  title: "Certificate of completion",
  intro: "This certifies that",
  verb: "completed the course",
  text: "",
  logo: "company",
  fields: ["score", "completed", "validUntil", "minutes"],
  signers: [{ name: "Hanne Dahl", role: "Head of training", picture: null }],
  months: 12,
};

type Server = Awaited<ReturnType<typeof start>>;

/** Courses with certificates, and people who complete them. */
export function createCertifier({ as, make, db }: Server) {
  const switchOn = async (admin: Person, courseId: string, changed: Partial<DesignContent> = {}) =>
    bodyOf(
      await as(admin)(certificates.saveDesign, {
        params: { courseId },
        body: { enabled: true, content: { ...sampleDesign, ...changed }, version: null },
      }),
    );
  /** A company whose course gives a certificate. */
  const school = async (
    company: Partial<CompanyInput> = {},
    content: Partial<DesignContent> = {},
    by: Person | null = null,
  ) => {
    const admin = by ?? (await make.admin());
    const course = await make.course(admin);
    const issuer = await make.company(admin, { name: "Norrvik Energi", ...company });
    await as(admin)(courses.assign, { params: { id: course.id }, body: { companyIds: [issuer.id] } });
    return { admin, course, company: issuer, design: await switchOn(admin, course.id, content) };
  };
  type School = Awaited<ReturnType<typeof school>>;
  /** Opens the course and completes it with a score of 90 %. */
  const complete = async ({ company, course }: Pick<School, "company" | "course">, person: Person, again = false) => {
    const session = await make.launch(person, company.id, course.id, { newAttempt: again, takeOver: again });
    const commit = () =>
      committer(as)(session, {
        events: [
          ...openPart(),
          setValue(3, "cmi.core.score.raw", "90"),
          setValue(4, "cmi.core.lesson_status", "completed"),
        ],
        activeMs: 600_000,
      });
    return { session, commit, reply: await commit() };
  };
  const newest = async (person: Person) => {
    const { items } = bodyOf(await as(person)(certificates.mine));
    return items[0];
  };
  /** A learner of the company with their certificate, which is sealed. */
  const holder = async (of: School, name?: string) => {
    const person = await make.learner(of.company.accessCode, name);
    await complete(of, person);
    const certificate = await newest(person);
    if (!certificate) throw new Error("no certificate");
    for (let tries = 0; tries < 400; tries++) {
      const { position } = await db
        .selectFrom("certificates")
        .where("id", "=", certificate.id)
        .select("position")
        .executeTakeFirstOrThrow();
      if (position !== null) return { person, certificate };
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error("not sealed");
  };
  return { switchOn, school, complete, newest, holder };
}
