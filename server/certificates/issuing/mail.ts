import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";
import { printDay } from "#shared/certificates/certificateTexts.ts";

/**
 * Tells the holder of a new certificate where it is, or the manager of a holder without an email address. Nothing
 * without a mail server: the certificate is in the app.
 */
export async function mailCertificate(services: Services, tx: Tx, completionId: number) {
  const { config } = services;
  if (!(await hasMailServer({ config, db: tx }))) return;
  const issued = await tx
    .selectFrom("certificates")
    .innerJoin("users", "users.id", "certificates.personId")
    .leftJoin("users as contact", (join) =>
      join.on(sql<boolean>`contact.id = case when users.email is null then mail_manager_of(users.id) end`),
    )
    .where("certificates.completionId", "=", completionId)
    .where("certificates.replaces", "is", null)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "certificates.companyId", "certificates.name"])
    .select(["contact.id as managerId", "contact.email as managerEmail", "contact.name as manager"])
    .select(["certificates.facts", "certificates.brand"])
    .executeTakeFirst();
  const recipient = issued?.email ?? issued?.managerEmail;
  if (!issued || !recipient) return;
  const { facts, brand, companyId, managerId } = issued;
  const userId = managerId ?? issued.userId;
  const name = managerId ? issued.manager : issued.name;
  const content = renderMail({
    name: facts.issuerName,
    color: brand.color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      managerId
        ? `${issued.name} has completed the course “${facts.course}” and earned a certificate. You get this email ` +
          "because they have no email address."
        : `You have completed the course “${facts.course}” and earned a certificate.`,
      ...(facts.validUntil ? [`It is valid until ${printDay(facts.validUntil)}.`] : []),
    ],
    facts: [
      ["Number", facts.number],
      ["Public page", `${config.publicUrl}/verify/${facts.number}`],
    ],
    button: managerId
      ? { label: "Open your team", url: `${config.publicUrl}/team` }
      : { label: "Open my certificates", url: `${config.publicUrl}/certificates` },
    footer: "Everyone who has the number sees course and dates. You decide whether your name is shown.",
  });
  await enqueueMail(services, tx, {
    recipient,
    userId,
    companyId,
    reason: "certificates.issued",
    subject: managerId ? `Certificate of ${issued.name}: ${facts.course}` : `Your certificate: ${facts.course}`,
    ...content,
  });
}
