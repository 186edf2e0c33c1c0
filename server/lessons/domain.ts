import { defineDomain } from "#server/core/domains/domain.ts";
import { rows, withAccount } from "#server/core/domains/tables.ts";
import { commentRoutes } from "#server/lessons/comments/routes.ts";
import { draftRoutes } from "#server/lessons/drafts/routes.ts";
import { personalData } from "#server/lessons/personalData.ts";
import { transferRoutes } from "#server/lessons/transfer/routes.ts";
import { tellUnclear } from "#server/lessons/unclear/jobs.ts";
import { unclearRoutes } from "#server/lessons/unclear/routes.ts";
import { versionRoutes } from "#server/lessons/versions/routes.ts";
import { deleteOldRestores, RESTORE_DAYS } from "#server/lessons/versions/undo.ts";

const asTheVersion = "as long as the version";
const asTheCourse = "as long as the course";

export const lessons = defineDomain({
  name: "lessons",
  uses: ["courses"],
  routes: [draftRoutes, transferRoutes, versionRoutes, commentRoutes, unclearRoutes],
  jobs: [deleteOldRestores, tellUnclear],
  personalData,
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
      authors: { author_id: "Texts of lessons you wrote" },
      notPersonal: { "what was written, and whether its author is known": "content origin" },
    },
    lesson_block_authors: {
      growth: rows(200, "course"),
      kept: asTheCourse,
      authors: { author_id: "Blocks of lessons you wrote in last" },
      notPersonal: { "the block": "block_id" },
    },
    course_writers: {
      growth: rows(6, "course"),
      kept: asTheCourse,
      authors: { author_id: "Versions of courses you wrote for" },
    },
    lesson_restores: {
      growth: rows(5, "course"),
      kept: `${RESTORE_DAYS} days`,
      authors: { created_by: "What you restored from versions of courses" },
      notPersonal: { "the contents of the course": "scope title outline_before outline_after" },
    },
    restored_lessons: {
      growth: rows(10, "course"),
      kept: `${RESTORE_DAYS} days`,
      notPersonal: { "the lesson": "before after" },
    },
    lesson_comments: {
      growth: rows(100, "course"),
      kept: asTheCourse,
      authors: { resolved_by: "Comments on lessons you resolved" },
      notPersonal: { "the block that the comment is about": "block_id about" },
    },
    comment_mentions: { growth: rows(50, "course"), kept: "as long as the comment" },
    unclear_marks: {
      growth: rows(3, "learner"),
      kept: withAccount,
      authors: { dealt_by: "What learners marked as unclear and you dealt with" },
    },
    lesson_files: { growth: rows(30, "course"), kept: asTheCourse },
    lesson_authors: {
      growth: rows(1, "admin"),
      kept: "until the person opens another lesson of the course",
      notExported: "which lesson an author has open now",
    },
  },
});
