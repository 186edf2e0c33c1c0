import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { forWhom, mailAboutCourse } from "#server/courses/personMails.ts";

/** Tells a learner that the course of an attempt is open again, because its rule has changed. */
export const mailReopened = (services: Services, tx: Tx, attemptId: string) =>
  mailAboutCourse(services, tx, sql<string>`(select enrolment_id from attempts where id = ${attemptId})`, {
    reason: "completionRules.reopened",
    content: (reader) => ({
      subject: reader.toManager ? `Open again for ${reader.learner}: ${reader.title}` : `Open again: ${reader.title}`,
      paragraphs: [
        `The rule by which the course “${reader.title}” counts as completed has changed, and it is open again for ` +
          forWhom(reader),
        reader.toManager
          ? "Everything they have done in it is still there. A certificate of this course is no longer valid."
          : "Everything you have done in it is still there. A certificate that you had of it is no longer valid.",
      ],
      button: { label: "Open my courses", path: "/my-courses" },
    }),
  });
