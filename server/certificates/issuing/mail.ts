import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";
import { printDay } from "#shared/certificates/certificateTexts.ts";

/** Tells the holder of a new certificate where it is. Nothing without a mail server: the certificate is in the app. */
export async function mailCertificate(services: Services, tx: Tx, completionId: number) {
  const { config } = services;
  if (!(await hasMailServer({ config, db: tx }))) return;
  const issued = await tx
    .selectFrom("certificates")
    .innerJoin("users", "users.id", "certificates.personId")
    .where("certificates.completionId", "=", completionId)
    .where("certificates.replaces", "is", null)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "certificates.companyId", "certificates.name"])
    .select(["certificates.facts", "certificates.brand"])
    .executeTakeFirst();
  if (!issued) return;
  const { facts, brand, email, userId, companyId, name } = issued;
  const content = renderMail({
    name: facts.issuerName,
    color: brand.color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      `You have completed the course “${facts.course}” and earned a certificate.`,
      ...(facts.validUntil ? [`It is valid until ${printDay(facts.validUntil)}.`] : []),
    ],
    facts: [
      ["Number", facts.number],
      ["Public page", `${config.publicUrl}/verify/${facts.number}`],
    ],
    button: { label: "Open my certificates", url: `${config.publicUrl}/certificates` },
    footer: "Everyone who has the number sees course and dates. You decide whether your name is shown.",
  });
  await enqueueMail(services, tx, {
    recipient: email,
    userId,
    companyId,
    reason: "certificates.issued",
    subject: `Your certificate: ${facts.course}`,
    ...content,
  });
}
