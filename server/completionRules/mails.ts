import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";

/**
 * Tells a learner that a course is open again, or the manager of one without an email address. Nothing without a mail
 * server: the course is in their list.
 */
export async function mailReopened(services: Services, tx: Tx, attemptId: string) {
  const { config } = services;
  if (!(await hasMailServer({ config, db: tx }))) return;
  const person = await tx
    .selectFrom("attempts")
    .innerJoin("users", "users.id", "attempts.userId")
    .innerJoin("companies", "companies.id", "attempts.companyId")
    .innerJoin("courses", "courses.id", "attempts.courseId")
    .leftJoin("users as contact", (join) =>
      join.on(sql<boolean>`contact.id = case when users.email is null then mail_manager_of(users.id) end`),
    )
    .where("attempts.id", "=", attemptId)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "users.name", "attempts.companyId"])
    .select(["contact.id as managerId", "contact.email as managerEmail", "contact.name as manager"])
    .select(["companies.name as company", "companies.color", "courses.title"])
    .executeTakeFirst();
  const recipient = person?.email ?? person?.managerEmail;
  if (!person || !recipient) return;
  const { name: learner, managerId, companyId, company, color, title } = person;
  const name = managerId ? person.manager : learner;
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      `The rule by which the course “${title}” counts as completed has changed, and it is open again for ` +
        (managerId ? `${learner}. You get this email because they have no email address.` : "you."),
      managerId
        ? "Everything they have done in it is still there. A certificate of this course is no longer valid."
        : "Everything you have done in it is still there. A certificate that you had of it is no longer valid.",
    ],
    button: managerId
      ? { label: "Open your team", url: `${config.publicUrl}/team` }
      : { label: "Open my courses", url: `${config.publicUrl}/my-courses` },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  await enqueueMail(services, tx, {
    recipient,
    userId: managerId ?? person.userId,
    companyId,
    reason: "completionRules.reopened",
    subject: managerId ? `Open again for ${learner}: ${title}` : `Open again: ${title}`,
    ...content,
  });
}
