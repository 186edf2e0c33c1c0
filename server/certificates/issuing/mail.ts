import { type RawBuilder, sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";
import { printDay } from "#shared/certificates/certificateTexts.ts";
import { achievedOf } from "#shared/certificates/proof.ts";

/** SQL condition: the first certificate of the completion of a course. */
export const isOfCompletion = (completionId: number) =>
  sql<boolean>`(certificates.completion_id = ${completionId} and certificates.replaces is null)`;

/**
 * Tells the holders of new certificates where these are, or the manager of a holder without an email address. Nothing
 * without a mail server: the certificates are in the app.
 */
export async function mailCertificates(services: Services, tx: Tx, condition: RawBuilder<boolean>) {
  if (!(await hasMailServer({ config: services.config, db: tx }))) return;
  for (const issued of await readIssued(tx, condition)) await mailOne(services, tx, issued);
}

const readIssued = (tx: Tx, condition: RawBuilder<boolean>) =>
  tx
    .selectFrom("certificates")
    .innerJoin("users", "users.id", "certificates.personId")
    .leftJoin("users as contact", (join) =>
      join.on(sql<boolean>`contact.id = case when users.email is null then mail_manager_of(users.id) end`),
    )
    .where(condition)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "certificates.companyId", "certificates.name"])
    .select(["contact.id as managerId", "contact.email as managerEmail", "contact.name as manager"])
    .select(["certificates.facts", "certificates.brand"])
    .orderBy("certificates.id")
    .execute();

async function mailOne(services: Services, tx: Tx, issued: Awaited<ReturnType<typeof readIssued>>[number]) {
  const { config } = services;
  const recipient = issued.email ?? issued.managerEmail;
  if (!recipient) return;
  const { kind, title } = achievedOf(issued.facts);
  const what = kind === "path" ? `the learning path “${title}”` : `the course “${title}”`;
  const { facts, brand, companyId, managerId } = issued;
  const userId = managerId ?? issued.userId;
  const name = managerId ? issued.manager : issued.name;
  const content = renderMail({
    name: facts.issuerName,
    color: brand.color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      managerId
        ? `${issued.name} has completed ${what} and earned a certificate. You get this email because they have no ` +
          "email address."
        : `You have completed ${what} and earned a certificate.`,
      ...(facts.validUntil ? [`It is valid until ${printDay(facts.validUntil)}.`] : []),
    ],
    facts: [
      ["Number", facts.number],
      ["Public page", `${config.publicUrl}/verify/${facts.number}`],
    ],
    button: managerId
      ? { label: "Open your team", url: `${config.publicUrl}/team` }
      : { label: "Open my certificates", url: `${config.publicUrl}/certificates` },
    footer: `Everyone who has the number sees ${kind} and dates. You decide whether your name is shown.`,
  });
  await enqueueMail(services, tx, {
    recipient,
    userId,
    companyId,
    reason: "certificates.issued",
    subject: managerId ? `Certificate of ${issued.name}: ${title}` : `Your certificate: ${title}`,
    ...content,
  });
}
