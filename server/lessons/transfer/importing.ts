import { randomUUID } from "node:crypto";
import { record } from "#server/audit/service.ts";
import { type Db, inTransaction, type Tx } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { conflict, notFound, Problem } from "#server/core/http/problem.ts";
import { announceChange } from "#server/core/live/announcements.ts";
import { getChangeableFile, markFileDeleted, markFileInUse, type StoredFile } from "#server/files/service.ts";
import { storeBytes } from "#server/files/storeBytes.ts";
import { addLesson, OUTLINE_ERRORS } from "#server/lessons/drafts/service.ts";
import { type ReadCourse, readDocument, UnreadableDocument } from "#server/lessons/transfer/reading/readDocument.ts";
import type { LessonFile } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { lessonDocument, type LessonDocument, SCHEMA_VERSION } from "#shared/lessons/lessonDocument.ts";
import { changeOutline, type Outline } from "#shared/lessons/outline.ts";
import type { ImportPlan, transfer } from "#shared/lessons/transfer/transfer.ts";
import { listMedia, walkObjects } from "#shared/lessons/walk.ts";
import type { BodyOf } from "#shared/core/route.ts";
import type { User } from "#shared/core/users.ts";

const FAILURES = {
  empty: "lessonDrafts.importEmpty",
  damaged: "lessonDrafts.importDamaged",
  oldFormat: "lessonDrafts.importOldFormat",
  unknownFormat: "lessonDrafts.importUnknownFormat",
  tooMuchWork: "lessonDrafts.importTooLarge",
} as const;

type Body = BodyOf<typeof transfer.importPlan>;

/** What an uploaded document would add to a course. */
export async function planImport(ctx: Ctx<User>, courseId: string, body: Body): Promise<ImportPlan> {
  await findCourse(ctx.db, courseId);
  const { read } = await readUpload(ctx, body);
  const lessons = read.modules.flatMap((module) => module.lessons);
  return {
    modules: read.modules.map(({ title, lessons: list }) => ({
      title,
      lessons: list.map((one) => ({ title: one.title, blocks: one.blocks.length })),
    })),
    lessons: lessons.length,
    blocks: lessons.reduce((sum, { blocks }) => sum + blocks.length, 0),
    pictures: read.pictures.length,
    leftBehind: read.leftBehind,
  };
}

const findCourse = (db: Db, courseId: string) =>
  db.selectFrom("courseDrafts").where("courseId", "=", courseId).select("language").executeTakeFirstOrThrow(notFound);

async function readUpload(
  ctx: Ctx<User>,
  { path, name, level }: Body,
): Promise<{ file: StoredFile; read: ReadCourse }> {
  const gone = () => new Problem(404, "lessonDrafts.noFile");
  const file = await getChangeableFile(ctx, path).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? gone() : error;
  });
  if (file.purpose !== "import" || file.inUse) throw gone();
  const local = await ctx.storage.local(file.storageKey);
  try {
    return { file, read: await readDocument({ path: local.path, name, level: level === "2" ? 2 : 1 }) };
  } catch (error) {
    throw error instanceof UnreadableDocument ? new Problem(422, FAILURES[error.code]) : error;
  } finally {
    await local.done();
  }
}

/** Adds the lessons of an uploaded document after those of the draft. The document can be imported once. */
export async function importLessons(ctx: Ctx<User>, courseId: string, body: Body) {
  const { language } = await findCourse(ctx.db, courseId);
  const { file, read } = await readUpload(ctx, body);
  const stored = await storePictures(ctx, read);
  try {
    return await inTransaction(ctx.db, async (tx) => {
      // A second window, or the same request sent again: the lessons are there.
      if (!(await markFileDeleted(tx, file.id))) throw new Problem(404, "lessonDrafts.noFile");
      const { outline, version } = await tx
        .selectFrom("courseDrafts")
        .where("courseId", "=", courseId)
        .select(["outline", "version"])
        .forUpdate()
        .executeTakeFirstOrThrow(notFound);
      const added = await addModules(tx, ctx.user, courseId, outline, { read, stored, language });
      await tx
        .updateTable("courseDrafts")
        .set({ outline: JSON.stringify(added.outline), version: version + 1 })
        .where("courseId", "=", courseId)
        .execute();
      await record(tx, ctx, { action: "lessonDrafts.import", courseId, details: { count: added.ids.length } });
      await announceChange(tx, { domain: "lessonDrafts" });
      return { lessons: added.ids };
    });
  } catch (error) {
    for (const { fileId } of stored.values()) await markFileDeleted(ctx.db, fileId);
    throw error;
  }
}

type Stored = Map<string, Omit<LessonFile, "url">>;
async function storePictures(ctx: Ctx<User>, { pictures }: ReadCourse): Promise<Stored> {
  const stored: Stored = new Map();
  for (const { placeholder, name, type, bytes } of pictures) {
    const fullPath = `lessons/${randomUUID()}/${name}`;
    const { id } = await storeBytes(ctx, { fullPath, type, purpose: "lesson", bytes });
    stored.set(placeholder, { fileId: id, name, type, bytes: bytes.length });
  }
  return stored;
}

type Added = { read: ReadCourse; stored: Stored; language: string };
async function addModules(tx: Tx, user: User, courseId: string, before: Outline, { read, stored, language }: Added) {
  let outline = before;
  const ids: string[] = [];
  const change = (next: Parameters<typeof changeOutline>[1]) => {
    const changed = changeOutline(outline, next);
    if (typeof changed === "string") throw conflict(OUTLINE_ERRORS[changed]);
    outline = changed;
  };
  for (const { title, lessons } of read.modules) {
    const last = outline.modules.at(-1);
    const isOwn = title !== "" || !last;
    const moduleId = isOwn ? randomUUID() : last.id;
    if (isOwn) change({ kind: "addModule", id: moduleId, title, at: outline.modules.length });
    for (const { title: name, blocks } of lessons) {
      const id = randomUUID();
      const document = withFiles({ schema: SCHEMA_VERSION, language, blocks }, stored);
      change({ kind: "addLesson", id, title: name, moduleId, at: 10_000 });
      await addLesson(tx, user, courseId, { id, nodes: documentToNodes(document) });
      for (const fileId of listMedia(document)) {
        await markFileInUse(tx, fileId);
        await tx.insertInto("lessonFiles").values({ lessonId: id, fileId }).execute();
      }
      ids.push(id);
    }
  }
  return { outline, ids };
}

/** What the reader says is checked: it has read a file of others. */
function withFiles(document: LessonDocument, stored: Stored): LessonDocument {
  const copy = structuredClone(document);
  walkObjects(copy, (object) => {
    const file = typeof object["fileId"] === "string" ? stored.get(object["fileId"]) : undefined;
    if (file) Object.assign(object, file);
  });
  const parsed = lessonDocument.safeParse(copy);
  if (!parsed.success) throw new Problem(422, FAILURES.damaged);
  return parsed.data;
}
