import { randomUUID } from "node:crypto";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { auth } from "#shared/auth/auth.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import { ADMIN } from "#test/process.ts";
import type { ServerFixture } from "./server.ts";

/** A published course that is written here, with one lesson of these blocks. */
export async function addWrittenCourse(app: ServerFixture, title: string, blocks: LessonBlock[]) {
  const { token } = await app.admin.call(auth.signIn, { body: ADMIN });
  app.admin.useToken(token);
  const draft = await app.admin.call(drafts.create, { body: { title, language: "en" } });
  const [module] = draft.modules;
  const [empty] = module!.lessons;
  const lessonId = randomUUID();
  const change = (body: Parameters<typeof app.admin.call<typeof drafts.change>>[1]["body"]) =>
    app.admin.call(drafts.change, { params: { id: draft.id }, body });
  await change({ kind: "addLesson", id: lessonId, title: "Hooks", moduleId: module!.id, at: 1 });
  await change({ kind: "removeLesson", id: empty!.id });
  const nodes = documentToNodes({ schema: 1, language: "en", blocks });
  await app.admin.call(drafts.write, {
    params: { id: lessonId },
    body: { key: randomUUID(), update: Buffer.from(nodesToUpdate(nodes)).toString("base64") },
  });
  await app.admin.call(drafts.publish, { params: { id: draft.id } });
  return { id: draft.id, lessonId };
}
