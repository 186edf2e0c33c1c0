import type { Db } from "#server/core/database/db.ts";
import { isOneOf } from "#server/core/database/listing.ts";
import { findBlockAuthors } from "#server/lessons/drafts/blockAuthors.ts";
import { readLessons } from "#server/lessons/drafts/reading.ts";
import { selectUpdates } from "#server/lessons/drafts/updates.ts";
import { withOwnIds } from "#server/lessons/drafts/publishing.ts";
import { shownName } from "#server/lessons/names.ts";
import type { User } from "#shared/core/users.ts";
import type { CourseSide } from "#server/lessons/versions/sides.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { nodesToDocument } from "#shared/lessons/editing/nodesToDocument.ts";
import type { BlockChange } from "#shared/lessons/versions/versions.ts";
import { sortedJson } from "#shared/lessons/walk.ts";

type Compared = { lessonId: string; side: CourseSide; shown: LessonBlock[]; blocks: BlockChange[] };

/**
 * Adds who wrote in the changed blocks last. That is known of the draft; of a version only where its block is still the
 * same in the draft, and was written before the version.
 */
export async function addWriters(
  db: Db,
  user: User,
  { lessonId, side, shown, blocks }: Compared,
): Promise<BlockChange[]> {
  if (blocks.every(({ state }) => state === "same")) return blocks;
  const rows = await db
    .selectFrom("lessonDrafts")
    .innerJoin("courseDrafts", "courseDrafts.courseId", "lessonDrafts.courseId")
    .where((e) => e(e.cast<string>("lessonDrafts.id", "text"), "=", lessonId))
    .select(["lessonDrafts.id", "courseDrafts.language"])
    .execute();
  const lesson = rows[0];
  if (!lesson) return blocks;
  const updates = await selectUpdates(db, [lesson.id]).execute();
  const order = [{ id: lesson.id, updates: updates.map(({ content }) => content) }];
  const reply = (await readLessons(order, { isTracing: true })).get(lesson.id);
  if (!reply?.nodes) return blocks;
  const authors = await findBlockAuthors(db, lesson.id, updates, reply.traces);
  const names = await namesOf(db, user, [...authors.values()]);
  const { document } = nodesToDocument(reply.nodes, lesson.language);
  const now = new Map(withOwnIds(document).blocks.map((block) => [block.id, sortedJson(block)]));
  const sums = new Map(shown.map((block) => [block.id, sortedJson(block)]));
  return blocks.map((block) => {
    const author = authors.get(block.id);
    const isSame = now.get(block.id) !== undefined && now.get(block.id) === sums.get(block.id);
    const isLater = side.publishedAt !== null && author && author.isKnown && author.writtenAt > side.publishedAt;
    if (block.state === "same" || !author || !isSame || isLater) return block;
    const { authorId, isKnown, writtenAt } = author;
    const name = authorId === null ? null : (names.get(authorId) ?? null);
    return { ...block, writtenBy: { name, isKnown, at: writtenAt } };
  });
}

async function namesOf(db: Db, user: User, authors: { authorId: string | null }[]) {
  const ids = [...new Set(authors.flatMap(({ authorId }) => authorId ?? []))];
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom("users")
    .where(isOneOf("users.id", ids))
    .select(["id", shownName(user).$notNull().as("name")])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
