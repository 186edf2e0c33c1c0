import { LRUCache } from "lru-cache";
import type { Db } from "#server/core/database/db.ts";
import type { LessonDocument } from "#shared/lessons/lessonDocument.ts";
import { listTests } from "#shared/conditions/conditions.ts";
import { type ShownDocument, toShownDocument } from "#shared/lessons/shownLesson.ts";

/** The lessons of a version by the `sco` of their part, as they were published. */
export type LessonContents = {
  documents: Map<string, LessonDocument>;
  /** The same with the keys of all questions, by which answers are judged. */
  lessons: Map<string, ShownDocument>;
  /** The variables on which conditions depend. */
  conditionKeys: string[];
};

/** Published lessons never change. The size is that of their JSON; in memory they take several times as much. */
const MAX_CACHED_BYTES = 16 * 1024 ** 2;
const cache = new LRUCache<string, LessonContents>({ maxSize: MAX_CACHED_BYTES });
const inOrder = <T>(list: T[]) => list;

export async function readContents(db: Db, versionId: string): Promise<LessonContents> {
  const cached = cache.get(versionId);
  if (cached) return cached;
  const rows = await db
    .selectFrom("lessonContents")
    .where("versionId", "=", versionId)
    .select(["sco", "document", "bytes"])
    .execute();
  const documents = new Map(rows.map(({ sco, document }) => [sco, document]));
  const lessons = new Map(rows.map(({ sco, document }) => [sco, toShownDocument(document, () => inOrder)]));
  const contents = {
    documents,
    lessons,
    conditionKeys: [...new Set([...documents.values()].flatMap(conditionKeysOf))],
  };
  cache.set(versionId, contents, { size: rows.reduce((sum, { bytes }) => sum + bytes, 1) });
  return contents;
}

export const conditionKeysOf = ({ blocks }: Pick<ShownDocument | LessonDocument, "blocks">): string[] =>
  blocks.flatMap(({ showWhen }) =>
    showWhen ? listTests(showWhen).flatMap((test) => (test.kind === "variable" ? [test.key] : [])) : [],
  );
