import { defineDomain } from "#server/core/domains/domain.ts";
import { deleted, ownedBy } from "#server/core/domains/personalData.ts";
import { rows } from "#server/core/domains/tables.ts";
import { draftRoutes } from "#server/lessons/drafts/routes.ts";
import { transferRoutes } from "#server/lessons/transfer/routes.ts";

const asTheVersion = "as long as the version";
const asTheCourse = "as long as the course";

export const lessons = defineDomain({
  name: "lessons",
  uses: ["courses"],
  routes: [draftRoutes, transferRoutes],
  personalData: {
    entries: [deleted("openLesson", "lesson_authors", "Which lesson you had open for writing", ownedBy("user_id"))],
    sections: [],
  },
  tables: {
    lesson_contents: {
      growth: rows(20, "course"),
      kept: asTheVersion,
      notPersonal: { "the lesson": "sco document hashes" },
    },
    lesson_media: { growth: rows(30, "course"), kept: asTheVersion },
    course_drafts: {
      growth: rows(1, "course"),
      kept: asTheCourse,
      notPersonal: { "the contents": "language outline" },
    },
    lesson_drafts: { growth: rows(20, "course"), kept: asTheCourse },
    lesson_updates: {
      growth: rows(400, "course"),
      kept: asTheCourse,
      notPersonal: { "what was written, by nobody in particular": "content" },
    },
    lesson_files: { growth: rows(30, "course"), kept: asTheCourse },
    lesson_authors: {
      growth: rows(1, "admin"),
      kept: "until the person opens another lesson of the course",
      notExported: "which lesson an author has open now",
    },
  },
});
