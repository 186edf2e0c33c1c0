import { saveDesign } from "#server/certificates/designs/designs.ts";
import { issueNextMissing } from "#server/certificates/issuing/courseCertificates.ts";
import { courseOf } from "#server/certificates/subjects.ts";
import { sealAll } from "#server/certificates/proofs/sealing.ts";
import { inTransaction } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { type DesignContent, type DesignField, fieldsOf } from "#shared/certificates/designs.ts";
import type { User } from "#shared/core/users.ts";

const MANY = 1000;

export const demoDesign = (verb: string, fields: DesignField[], months: number | null): DesignContent => ({
  paper: "a4",
  orientation: "landscape",
  side: "arches",
  title: "Certificate of completion",
  intro: "This certifies that",
  verb,
  text: "",
  logo: "company",
  fields,
  signers: [{ name: "Hanne Dahl", role: "Head of training", picture: null }],
  months,
});

/** Certificates of the courses, with one for each completion of the past months. */
export async function addCertificates(
  ctx: Ctx<User>,
  { phishingId, conversationsId, heightsId }: { phishingId: string; conversationsId: string; heightsId: string },
) {
  for (const [courseId, months] of [
    [phishingId, 12],
    [conversationsId, null],
    [heightsId, 24],
  ] as const) {
    await saveDesign(ctx, courseOf(courseId), {
      enabled: true,
      version: null,
      content: demoDesign("completed the course", [...fieldsOf.course], months),
    });
    await inTransaction(ctx.db, (tx) => issueNextMissing(tx, courseId, 0, MANY));
  }
  await sealAll(ctx);
}
