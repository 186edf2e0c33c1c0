import { createHash, randomUUID } from "node:crypto";
import { isOneOf } from "#server/core/database/listing.ts";
import type { Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { Problem } from "#server/core/http/problem.ts";
import { addVersion, lockCourse } from "#server/courses/versions.ts";
import { canReadFile } from "#shared/files/files.ts";
import type { User } from "#shared/core/users.ts";
import { type LessonCourse, lessonCourse, type PackagedLesson } from "#shared/lessons/lessonDocument.ts";
import { findProblems, listLessons, listPackages } from "#shared/lessons/lessonProblems.ts";
import { questionTexts } from "#shared/lessons/questionTexts.ts";
import { listMedia, walkObjects } from "#shared/lessons/walk.ts";
import { packagedSco, type Part } from "#shared/player/player.ts";

export type PublishedVersion = { versionId: string; number: number };

/**
 * Publishes lessons as the next version of a course, which never changes: the documents are stored with a hash of every
 * text, and their files cannot be deleted any more. 422 names what stops it (`details.problems`).
 */
export async function publishLessons(
  tx: Tx,
  ctx: Ctx<User>,
  courseId: string,
  draft: LessonCourse,
  { makeLive }: { makeLive: boolean },
): Promise<PublishedVersion> {
  const parsed = lessonCourse.safeParse(draft);
  if (!parsed.success) throw new Problem(422, "lessons.broken");
  const problems = findProblems(parsed.data);
  if (problems.length > 0) throw new Problem(422, "lessons.unfinished", { details: { problems } });
  const lessons = listLessons(parsed.data);
  const course = await lockCourse(tx, courseId, ["lessons", "mixed"]);
  const packages = await findPackages(tx, courseId, parsed.data);
  const kind = packages.size > 0 ? "mixed" : "lessons";
  const { title } = await tx.selectFrom("courses").where("id", "=", courseId).select("title").executeTakeFirstOrThrow();
  const media = listMedia(lessons);
  await keepMedia(tx, ctx, media);
  const versionId = randomUUID();
  const contents = lessons.map(({ id, document }) => {
    const json = JSON.stringify(document);
    return { versionId, sco: id, document: json, hashes: JSON.stringify(hashTexts(document)), bytes: sizeOf(json) };
  });
  const number = await addVersion(
    tx,
    ctx,
    course,
    {
      id: versionId,
      kind,
      title,
      fileName: "",
      bytes: sum([...contents, ...packages.values()], "bytes"),
      files: media.length + sum([...packages.values()], "files"),
      sha256: sha256(JSON.stringify(parsed.data)),
      manifest: null,
      parts: JSON.stringify(partsOf(parsed.data, packages)),
      warnings: JSON.stringify([...packages.values()].flatMap(({ warnings }) => warnings)),
      questions: JSON.stringify(
        Object.assign({}, ...[...packages.values()].map(({ questions }) => questions), questionTexts(lessons)),
      ),
      packageNames: JSON.stringify([...packages.values()].flatMap(({ packageNames }) => packageNames)),
    },
    { makeLive: makeLive || course.versions === 0, action: "lessons.publish" },
  );
  await tx.updateTable("courses").set({ kind }).where("id", "=", courseId).where("kind", "!=", kind).execute();
  if (contents.length > 0) await tx.insertInto("lessonContents").values(contents).execute();
  const entries = listPackages(parsed.data).map(({ id, packageId }) => ({ versionId, packageId, entry: id }));
  if (entries.length > 0) await tx.insertInto("versionPackages").values(entries).execute();
  if (media.length > 0)
    await tx
      .insertInto("lessonMedia")
      .values(media.map((fileId) => ({ versionId, fileId })))
      .execute();
  return { versionId, number };
}

const sum = <K extends string>(list: Record<K, number>[], field: K) =>
  list.reduce((total, one) => total + one[field], 0);

/** The packages among the lessons by their ids; 422 if one is not of this course. */
async function findPackages(tx: Tx, courseId: string, course: LessonCourse) {
  const ids = [...new Set(listPackages(course).map(({ packageId }) => packageId))];
  if (ids.length === 0) return new Map<string, StoredPackage>();
  const found = await selectPackages(tx, courseId, ids);
  if (found.length < ids.length) throw new Problem(422, "lessons.packageMissing");
  return new Map(found.map((one) => [one.id, one]));
}

type StoredPackage = Awaited<ReturnType<typeof selectPackages>>[number];
const selectPackages = (tx: Tx, courseId: string, ids: string[]) =>
  tx
    .selectFrom("packages")
    .where("courseId", "=", courseId)
    .where(isOneOf("packages.id", ids))
    .select(["packages.id", "bytes", "files", "parts", "warnings", "questions", "packageNames"])
    .execute();

/** Marks the files of lessons as in use; 422 unless all of them are stored and the author may use them. */
async function keepMedia(tx: Tx, { user }: Ctx<User>, ids: string[]) {
  if (ids.length === 0) return;
  const files = await tx
    .selectFrom("files")
    .where(isOneOf("files.id", ids))
    .where("deletedAt", "is", null)
    .where("purpose", "=", "lesson")
    .select(["id", "purpose", "visibility", "ownerId", "companyId"])
    .forUpdate()
    .execute();
  const usable = new Set(files.filter((file) => canReadFile(user, file)).map(({ id }) => id));
  const missing = ids.filter((id) => !usable.has(id));
  if (missing.length > 0) throw new Problem(422, "lessons.mediaMissing", { details: { fileIds: missing } });
  await tx.updateTable("files").set({ inUse: true }).where(isOneOf("files.id", ids)).execute();
}

/** Modules with a title are headings; lessons below them are one level deeper. */
const partsOf = ({ modules }: LessonCourse, packages: Map<string, StoredPackage>): Part[] =>
  modules.flatMap(({ id, title, lessons }) => {
    const base = { kind: "lesson" as const, given: {} };
    const depth = title === "" ? 0 : 1;
    return [
      ...(title === "" ? [] : [{ ...base, sco: id, title, depth: 0, href: null, isSco: false }]),
      ...lessons.flatMap((lesson) =>
        "packageId" in lesson
          ? packagedParts(lesson, packages.get(lesson.packageId)?.parts ?? [], depth)
          : [{ ...base, sco: lesson.id, title: lesson.title, depth, href: lesson.id, isSco: true }],
      ),
    ];
  });

/**
 * The parts of a package under the title of its lesson: one that can be opened takes its place, several stand below it.
 */
function packagedParts({ id, title, packageId }: PackagedLesson, parts: Part[], depth: number): Part[] {
  const placed = parts.map((part) => ({
    ...part,
    sco: packagedSco(id, part.sco),
    href: part.href === null ? null : `${packageId}/${part.href}`,
  }));
  const [only, ...others] = placed.filter(({ href }) => href !== null);
  if (only && others.length === 0) return [{ ...only, title, depth }];
  const heading: Part = { sco: id, kind: "lesson", title, depth, href: null, isSco: false, given: {} };
  return [heading, ...placed.map((part) => ({ ...part, depth: part.depth + depth + 1 }))];
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const sizeOf = (text: string) => Buffer.byteLength(text);

/** A hash of everything with an id: texts, choices, items and blocks. */
function hashTexts(document: unknown) {
  const hashes: Record<string, string> = {};
  walkObjects(document, (object) => {
    if (typeof object.id === "string") hashes[object.id] = sha256(JSON.stringify(object));
  });
  return hashes;
}
