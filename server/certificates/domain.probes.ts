import { badges } from "#shared/badges/badges.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { paths } from "#shared/paths/paths.ts";
import { sampleDesign } from "#test/certificates.ts";
import { stepOf } from "#test/paths.ts";
import { bodyOf, type Probes } from "#test/probes.ts";
import { sealAll } from "#server/certificates/proofs/sealing.ts";
import { type KindFacts, sealFacts } from "#server/certificates/issuing/storing.ts";
import { columnOf, courseOf, idsOf, pathOf, type Subject } from "#server/certificates/subjects.ts";

export const probes: Probes = {
  async fill({ server: { app, as, db, services }, admin, learner, company, course, tag }) {
    const design = { enabled: true, content: sampleDesign, version: null };
    await as(admin)(certificates.saveDesign, { params: { courseId: course.id }, body: design });
    const path = bodyOf(
      await as(admin)(paths.create, { body: { title: `Certified ${tag}`, steps: [stepOf(course.id)] } }),
    );
    await as(admin)(certificates.savePathDesign, { params: { pathId: path.id }, body: design });
    const issue = async (subject: Subject, achieved: KindFacts) => {
      const { id: designId } = await db
        .selectFrom("certificateDesignVersions")
        .where(columnOf(subject), "=", subject.id)
        .select("id")
        .executeTakeFirstOrThrow();
      const { facts, salt, leaf } = sealFacts(
        {
          ...achieved,
          issuer: company.id,
          issuerName: company.name,
          title: `Certificate ${tag}`,
          rule: "",
          completedOn: "2026-03-29",
          issuedOn: "2026-03-29",
          validUntil: null,
          replaces: null,
        },
        { holder: `Holder ${tag}`, score: null, minutes: null },
      );
      const { id } = await db
        .insertInto("certificates")
        .values({
          number: facts.number,
          companyId: company.id,
          ...idsOf(subject),
          designId,
          personId: learner.user.id,
          name: `Holder ${tag}`,
          facts: JSON.stringify(facts),
          brand: JSON.stringify({ color: null, logo: null }),
          salt,
          leaf: Buffer.from(leaf),
          completedOn: facts.completedOn,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { id, number: facts.number };
    };
    const { id, number } = await issue(courseOf(course.id), {
      format: "lyceum-certificate-1",
      course: `Course ${tag}`,
      courseVersion: 1,
    });
    const ofPath = await issue(pathOf(path.id), {
      format: "lyceum-path-certificate-1",
      path: `Walked ${tag}`,
      pathVersion: 1,
      steps: 1,
      courses: [`Course ${tag}`],
      elsewhere: [],
    });
    await sealAll(services);
    await app.inject({
      url: badges.get.path.replace(":id", id),
      headers: { authorization: `Bearer ${learner.token}` },
    });
    return {
      marks: [id, number, ofPath.id, ofPath.number, `Holder ${tag}`],
      writes: {
        "certificates.share": { id, body: { showName: true, showScore: true, showMinutes: true } },
        "certificates.revoke": { id, body: { reason: `Revoked ${tag}` } },
        "certificates.reissue": { id },
      },
    };
  },
  withoutCompany: [
    "certificates.saveDesign",
    "certificates.addPicture",
    "certificates.sample",
    "certificates.issueMissing",
    "certificates.savePathDesign",
    "certificates.pathSample",
    "certificates.issueMissingOfPath",
  ],
  boundedPages: [certificates.list.path],
};
