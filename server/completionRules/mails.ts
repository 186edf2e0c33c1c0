import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";

/** Tells a learner that a course is open again. Nothing without a mail server: the course is in their list. */
export async function mailReopened(services: Services, tx: Tx, attemptId: string) {
  const { config } = services;
  if (!(await hasMailServer({ config, db: tx }))) return;
  const person = await tx
    .selectFrom("attempts")
    .innerJoin("users", "users.id", "attempts.userId")
    .innerJoin("companies", "companies.id", "attempts.companyId")
    .innerJoin("courses", "courses.id", "attempts.courseId")
    .where("attempts.id", "=", attemptId)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "users.name", "attempts.companyId"])
    .select(["companies.name as company", "companies.color", "courses.title"])
    .executeTakeFirst();
  if (!person) return;
  const { userId, email, name, companyId, company, color, title } = person;
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      `The rule by which the course “${title}” counts as completed has changed, and it is open again for you.`,
      "Everything you have done in it is still there. A certificate of this course that you had is no longer valid.",
    ],
    button: { label: "Open my courses", url: `${config.publicUrl}/my-courses` },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  await enqueueMail(services, tx, {
    recipient: email,
    userId,
    companyId,
    reason: "completionRules.reopened",
    subject: `Open again: ${title}`,
    ...content,
  });
}
