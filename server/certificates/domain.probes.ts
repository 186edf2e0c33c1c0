import { badges } from "#shared/badges/badges.ts";
import { certificates } from "#shared/certificates/certificates.ts";
import { sampleDesign } from "#test/certificates.ts";
import type { Probes } from "#test/probes.ts";
import { sealAll } from "#server/certificates/proofs/sealing.ts";
import { sealFacts } from "#server/certificates/issuing/storing.ts";

export const probes: Probes = {
  async fill({ server: { app, as, db, services }, admin, learner, company, course, tag }) {
    const design = { enabled: true, content: sampleDesign, version: null };
    await as(admin)(certificates.saveDesign, { params: { courseId: course.id }, body: design });
    const { id: designId } = await db
      .selectFrom("certificateDesignVersions")
      .where("courseId", "=", course.id)
      .select("id")
      .executeTakeFirstOrThrow();
    const { facts, salt, leaf } = sealFacts(
      {
        format: "lyceum-certificate-1",
        issuer: company.id,
        issuerName: company.name,
        title: `Certificate ${tag}`,
        course: `Course ${tag}`,
        courseVersion: 1,
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
        courseId: course.id,
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
    await sealAll(services);
    await app.inject({
      url: badges.get.path.replace(":id", id),
      headers: { authorization: `Bearer ${learner.token}` },
    });
    return {
      marks: [id, facts.number, `Holder ${tag}`],
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
