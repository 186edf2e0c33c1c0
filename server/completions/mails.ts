import { sql } from "kysely";
import type { Tx } from "#server/core/database/db.ts";
import type { Services } from "#server/core/services.ts";
import { type CourseReader, forWhom, mailAboutCourse } from "#server/courses/personMails.ts";

const texts = {
  reopened: {
    subject: "Open again",
    button: "See what is left to do",
    paragraphs: (reader: CourseReader) => [
      `An admin has opened the course “${reader.title}” again for ${forWhom(reader)}`,
      reader.toManager
        ? "Everything they have done in it is still there. A certificate of this course is no longer valid."
        : "Everything you have done in it is still there. A certificate that you had of it is no longer valid.",
    ],
  },
  restored: {
    subject: "Completed again",
    button: "Open the course page",
    paragraphs: (reader: CourseReader) => [
      `The course “${reader.title}” counts as completed again for ${forWhom(reader)}`,
      "An admin had opened it again, and has undone that. If the course gives a certificate, there is a new one.",
    ],
  },
};

/**
 * Tells a learner that an admin has opened a completed course again (`reopened`), or that a completion which was taken
 * back counts again (`restored`).
 */
export const mailDecision = (services: Services, tx: Tx, enrolmentId: string, what: keyof typeof texts) =>
  mailAboutCourse(services, tx, sql<string>`${enrolmentId}`, {
    reason: `completions.${what}`,
    content: ({ courseId, ...reader }) => {
      const { subject, button, paragraphs } = texts[what];
      return {
        subject: reader.toManager ? `${subject} for ${reader.learner}: ${reader.title}` : `${subject}: ${reader.title}`,
        paragraphs: paragraphs(reader),
        button: { label: button, path: `/courses/${courseId}` },
      };
    },
  });
