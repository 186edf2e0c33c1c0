import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { hasMailServer } from "#server/mails/mailServer.ts";
import { enqueueMail } from "#server/mails/service.ts";
import { renderMail } from "#server/mails/template.ts";

/**
 * Tells a learner that an admin has opened a completed course again (`reopened`), or that a completion which was taken
 * back counts again (`restored`); the manager of one without an email address. Nothing without a mail server: the
 * course page says it.
 */
export async function mailDecision(services: Services, tx: Tx, enrolmentId: string, what: "reopened" | "restored") {
  const { config } = services;
  if (!(await hasMailServer({ config, db: tx }))) return;
  const person = await tx
    .selectFrom("enrolments")
    .innerJoin("users", "users.id", "enrolments.userId")
    .innerJoin("companies", "companies.id", "enrolments.companyId")
    .innerJoin("courses", "courses.id", "enrolments.courseId")
    .leftJoin("users as contact", (join) =>
      join.on(sql<boolean>`contact.id = case when users.email is null then mail_manager_of(users.id) end`),
    )
    .where("enrolments.id", "=", enrolmentId)
    .where("users.status", "=", "active")
    .select(["users.id as userId", "users.email", "users.name", "enrolments.companyId", "enrolments.courseId"])
    .select(["contact.id as managerId", "contact.email as managerEmail", "contact.name as manager"])
    .select(["companies.name as company", "companies.color", "courses.title"])
    .executeTakeFirst();
  const recipient = person?.email ?? person?.managerEmail;
  if (!person || !recipient) return;
  const { name: learner, managerId, companyId, courseId, company, color, title } = person;
  const name = managerId ? person.manager : learner;
  const isOpen = what === "reopened";
  const whose = managerId ? `${learner}. You get this email because they have no email address.` : "you.";
  const content = renderMail({
    name: company,
    color,
    paragraphs: [
      name ? `Hello ${name},` : "Hello,",
      isOpen
        ? `An admin has opened the course “${title}” again for ${whose}`
        : `The course “${title}” counts as completed again for ${whose}`,
      isOpen
        ? `Everything ${managerId ? "they" : "you"} have done in it is still there. ` +
          `A certificate ${managerId ? "of this course" : "that you had of it"} is no longer valid.`
        : "An admin had opened it again, and has undone that. If the course gives a certificate, there is a new one.",
    ],
    button: managerId
      ? { label: "Open your team", url: `${config.publicUrl}/team` }
      : {
          label: isOpen ? "See what is left to do" : "Open the course page",
          url: `${config.publicUrl}/courses/${courseId}`,
        },
    footer: `You get this email because ${company} uses this academy for its training.`,
  });
  const short = isOpen ? "Open again" : "Completed again";
  await enqueueMail(services, tx, {
    recipient,
    userId: managerId ?? person.userId,
    companyId,
    reason: `completions.${what}`,
    subject: managerId ? `${short} for ${learner}: ${title}` : `${short}: ${title}`,
    ...content,
  });
}
