import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { conflict } from "#server/core/http/problem.ts";
import { readContents } from "#server/lessons/contents.ts";
import { previewCourse } from "#server/lessons/drafts/publishing.ts";
import { findDraft } from "#server/lessons/drafts/service.ts";
import { listEmptyVariables, type ExportedModule, toExported } from "#shared/lessons/transfer/exported.ts";
import { type ExportPlan, MAX_EXPORT_BYTES } from "#shared/lessons/transfer/transfer.ts";
import type { Lesson, LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { listMedia, walkObjects } from "#shared/lessons/walk.ts";
import { fileNameOf } from "#shared/files/files.ts";

// A course that is about to leave

export type Leaving = {
  id: string;
  title: string;
  language: string;
  /** The version, or `draft`. */
  edition: string;
  modules: ExportedModule[];
  /** Files with their names in the folder of media. */
  files: LeavingFile[];
  plan: ExportPlan;
};
export type LeavingFile = { storageKey: string; size: number; name: string };
type Source = { from: "draft" | "live"; pools: "yes" | "no" };

/** What of a course can leave. Its media are named by `media/`, their documents by these names. */
export async function readLeaving(db: Db, courseId: string, { from, pools }: Source): Promise<Leaving> {
  const draft = await findDraft(db, courseId);
  const { liveVersionId } = draft;
  if (from === "live" && !liveVersionId) throw conflict("lessonDrafts.notPublished");
  const course =
    from === "live" && liveVersionId ? await readLive(db, liveVersionId) : await previewCourse(db, courseId);
  const { modules, leftOut } = toExported(course, { withPools: pools === "yes" });
  const lessons = modules.flatMap((module) => module.lessons);
  const files = await findFiles(db, courseId, listMedia(lessons));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return {
    id: courseId,
    title: draft.title,
    language: draft.language,
    edition: from === "live" ? String(draft.liveNumber) : "draft",
    modules: modules.map((module) => ({ ...module, lessons: module.lessons.map((one) => withNames(one, files)) })),
    files,
    plan: {
      lessons: lessons.length,
      questions: countQuestions(lessons, () => true),
      pooled: countQuestions(
        course.modules.flatMap((module) => module.lessons.filter((one): one is Lesson => "document" in one)),
        (pool) => pool !== undefined,
      ),
      files: files.length,
      bytes,
      leftOut,
      emptyVariables: listEmptyVariables(modules),
    },
  };
}

/** Refuses what nobody could import. */
export function checkLeaving({ plan }: Leaving) {
  if (plan.lessons === 0) throw conflict("lessonDrafts.nothingToExport");
  if (plan.bytes > MAX_EXPORT_BYTES)
    throw conflict("lessonDrafts.exportTooLarge", undefined, { megabytes: Math.floor(MAX_EXPORT_BYTES / 1024 ** 2) });
}

const countQuestions = (lessons: Lesson[], is: (pool: string | undefined) => boolean) =>
  lessons.flatMap(({ document }) => document.blocks).filter((block) => block.kind === "question" && is(block.pool))
    .length;

/** The lessons of a version under its headings. */
async function readLive(db: Db, versionId: string): Promise<LessonCourse> {
  const { parts } = await db
    .selectFrom("courseVersions")
    .where("id", "=", versionId)
    .select("parts")
    .executeTakeFirstOrThrow();
  const { documents } = await readContents(db, versionId);
  const modules: LessonCourse["modules"] = [{ id: versionId, title: "", lessons: [] }];
  for (const { sco, title, depth, href } of parts) {
    const document = documents.get(sco);
    if (document) modules.at(-1)?.lessons.push({ id: sco, title, minutes: null, document });
    else if (href === null && depth === 0) modules.push({ id: sco, title, lessons: [] });
    else if (href !== null) modules.at(-1)?.lessons.push({ id: sco, title, minutes: null, packageId: versionId });
  }
  return { modules };
}

/** Files of lessons of the course, of its draft or a version. */
async function findFiles(db: Db, courseId: string, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("files")
    .where(isOneOf("files.id", ids))
    .where("files.deletedAt", "is", null)
    .where((e) =>
      e.or([
        e(
          "files.id",
          "in",
          e
            .selectFrom("lessonFiles")
            .innerJoin("lessonDrafts", "lessonDrafts.id", "lessonFiles.lessonId")
            .where("lessonDrafts.courseId", "=", courseId)
            .select("lessonFiles.fileId"),
        ),
        e(
          "files.id",
          "in",
          e
            .selectFrom("lessonMedia")
            .innerJoin("courseVersions", "courseVersions.id", "lessonMedia.versionId")
            .where("courseVersions.courseId", "=", courseId)
            .select("lessonMedia.fileId"),
        ),
      ]),
    )
    .orderBy("files.id")
    .select(["files.id", "files.storageKey", "files.size", "files.fullPath"])
    .execute();
  return rows.map(({ id, storageKey, size, fullPath }) => ({
    id,
    storageKey,
    size,
    name: id + extensionOf(fileNameOf(fullPath)),
  }));
}

/** Only what every platform and file system takes. */
const extensionOf = (name: string) => /\.[a-z0-9]{1,8}$/.exec(name.toLowerCase())?.[0] ?? "";

function withNames(one: Lesson, files: (LeavingFile & { id: string })[]): Lesson {
  const names = new Map(files.map(({ id, name }) => [id, name]));
  const copy = structuredClone(one);
  walkObjects(copy.document, (object) => {
    const { fileId } = object;
    if (typeof fileId === "string") object["fileId"] = names.get(fileId) ?? fileId;
  });
  return copy;
}
