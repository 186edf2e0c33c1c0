import type { Db } from "#server/core/database/db.ts";
import { createBreather } from "#server/core/breather.ts";
import { notFound } from "#server/core/http/problem.ts";
import { listPackagesOf } from "#server/courses/packageFolders.ts";
import { withOwnIds } from "#server/lessons/drafts/publishing.ts";
import { findDraft } from "#server/lessons/drafts/service.ts";
import { readDrafts } from "#server/lessons/drafts/updates.ts";
import { nodesToDocument } from "#shared/lessons/editing/nodesToDocument.ts";
import { type LessonDocument, lessonDocument } from "#shared/lessons/lessonDocument.ts";
import { lessonsOf, type Outline } from "#shared/lessons/outline.ts";
import type { Side } from "#shared/lessons/versions/versions.ts";
import { packagedSco, type Part } from "#shared/player/player.ts";

/** Lessons that are read at a time: their documents are large. */
const BATCH = 10;

/** Without a document, the lesson cannot be read. `updates`: the number of the last update, of a draft. */
export type SideLesson = { document: LessonDocument | null; unfinished: string[]; updates: number | null };

/** One of the two that are compared. */
export type CourseSide = {
  number: number | null;
  versionId: string | null;
  publishedAt: string | null;
  outline: Outline;
  /** Reads lessons; those that the side does not have are missing. */
  read: (ids: string[]) => Promise<Map<string, SideLesson>>;
};

export async function openSide(db: Db, courseId: string, side: Side): Promise<CourseSide> {
  const draft = await findDraft(db, courseId);
  if (side === "draft")
    return {
      number: null,
      versionId: null,
      publishedAt: null,
      outline: draft.outline,
      read: (ids) => readDraftLessons(db, draft, ids),
    };
  const version = await findVersion(db, courseId, side);
  const packages = await listPackagesOf(db, version.id);
  return {
    number: side,
    versionId: version.id,
    publishedAt: version.createdAt,
    outline: outlineOf(version.parts, new Map(packages.map(({ entry, id }) => [entry, id]))),
    read: (ids) => readVersionLessons(db, version.id, ids),
  };
}

export const findVersion = (db: Db, courseId: string, number: number) =>
  db
    .selectFrom("courseVersions")
    .where("courseId", "=", courseId)
    .where("number", "=", number)
    .select(["id", "parts", "createdAt"])
    .executeTakeFirstOrThrow(notFound);

/**
 * The contents of a version: modules with a title are parts of their own, and lessons below them are one level deeper.
 * Lessons without such a module are in one without a title, whose id is not stored.
 */
export function outlineOf(parts: Part[], packages: ReadonlyMap<string, string>): Outline {
  const modules: Outline["modules"] = [];
  const seen = new Set<string>();
  const entryOf = ({ sco }: Part) =>
    [...packages.keys()].find((entry) => sco === entry || sco.startsWith(packagedSco(entry, "")));
  const add = (id: string, title: string, depth: number, packageId?: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    const last = modules.at(-1);
    if (!last || (depth === 0 && last.title !== "")) modules.push({ id: "", title: "", lessons: [] });
    modules.at(-1)!.lessons.push({ id, title, minutes: null, ...(packageId && { packageId }) });
  };
  for (const part of parts) {
    const entry = entryOf(part);
    if (entry !== undefined) add(entry, part.title, part.depth, packages.get(entry));
    else if (part.isSco) add(part.sco, part.title, part.depth);
    else modules.push({ id: part.sco, title: part.title, lessons: [] });
  }
  return { modules };
}

async function readVersionLessons(db: Db, versionId: string, ids: string[]) {
  const lessons = new Map<string, SideLesson>();
  if (ids.length === 0) return lessons;
  const rows = await db
    .selectFrom("lessonContents")
    .where("versionId", "=", versionId)
    .where("sco", "in", ids)
    .select(["sco", "document"])
    .execute();
  for (const { sco, document } of rows)
    lessons.set(sco, { document: lessonDocument.safeParse(document).data ?? null, unfinished: [], updates: null });
  return lessons;
}

type Draft = { outline: Outline; language: string };
async function readDraftLessons(db: Db, { outline, language }: Draft, ids: string[]) {
  const asked = new Set(ids);
  if (ids.length === 0) return new Map<string, SideLesson>();
  const list = lessonsOf(outline).filter(({ id, packageId }) => asked.has(id) && packageId === undefined);
  // Before their texts: what is written meanwhile counts as not seen.
  const numbers = await selectNumbers(db, ids);
  const nodes = await readDrafts(
    db,
    list.map(({ id }) => id),
  );
  return new Map<string, SideLesson>(
    list.map(({ id, quiz }) => {
      const found = nodes.get(id);
      const updates = numbers.get(id) ?? null;
      if (!found) return [id, { document: null, unfinished: [], updates }];
      const { document, unfinished } = nodesToDocument(found, language);
      return [
        id,
        {
          document: withOwnIds({ ...document, ...(quiz && { quiz }) }),
          unfinished: unfinished.map(({ blockId }) => blockId),
          updates,
        },
      ];
    }),
  );
}

async function selectNumbers(db: Db, ids: string[]) {
  const rows = await db
    .selectFrom("lessonDrafts")
    .where((e) => e(e.cast<string>("id", "text"), "in", ids))
    .select(["id", "updates"])
    .execute();
  return new Map(rows.map(({ id, updates }) => [id, updates]));
}

/** Calls `visit` with the lessons of both sides, a few at a time. */
export async function readTogether(
  [from, to]: [CourseSide, CourseSide],
  ids: string[],
  visit: (id: string, before: SideLesson | undefined, after: SideLesson | undefined) => void,
) {
  const breathe = createBreather();
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = ids.slice(at, at + BATCH);
    const before = await from.read(batch);
    const after = await to.read(batch);
    for (const id of batch) {
      await breathe();
      visit(id, before.get(id), after.get(id));
    }
  }
}
