import { randomUUID } from "node:crypto";
import { type Tx } from "#server/core/database/db.ts";
import { appendUpdate } from "#server/lessons/drafts/updates.ts";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { Lesson } from "#shared/lessons/lessonDocument.ts";

export type DemoModule = { title: string; lessons: Lesson[] };

/** Writes lessons into the draft of a course, as if someone had typed them. The empty first lesson stays. */
export async function writeLessons(tx: Tx, courseId: string, modules: DemoModule[], authorId: string) {
  const outline = {
    modules: modules.map(({ title, lessons }) => ({
      id: randomUUID(),
      title,
      lessons: lessons.map(({ id, title: name, minutes, document: { quiz: settings } }) => ({
        id,
        title: name,
        minutes,
        ...(settings && { quiz: settings }),
      })),
    })),
  };
  await tx
    .updateTable("courseDrafts")
    .set({ outline: JSON.stringify(outline) })
    .where("courseId", "=", courseId)
    .execute();
  for (const { id, document } of modules.flatMap(({ lessons }) => lessons)) {
    await tx.insertInto("lessonDrafts").values({ id, courseId }).execute();
    await appendUpdate(tx, { id, content: nodesToUpdate(documentToNodes(document)), authorId });
  }
}
