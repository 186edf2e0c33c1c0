import { randomUUID } from "node:crypto";
import * as Y from "yjs";
import { FRAGMENT, toTypes } from "#server/lessons/drafts/yNodes.ts";
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
  // In place of the empty paragraph of a new lesson.
  const doc = new Y.Doc();
  const params = { id: lessonId };
  const { updates } = await app.admin.call(drafts.updates, { params });
  for (const update of updates) Y.applyUpdate(doc, Buffer.from(update, "base64"));
  const fragment = doc.getXmlFragment(FRAGMENT);
  fragment.delete(0, fragment.length);
  fragment.insert(0, toTypes(documentToNodes({ schema: 1, language: "en", blocks }).content ?? []));
  const update = Buffer.from(Y.encodeStateAsUpdate(doc)).toString("base64");
  await app.admin.call(drafts.write, { params, body: { key: randomUUID(), update } });
  await app.admin.call(drafts.publish, { params: { id: draft.id } });
  return { id: draft.id, lessonId };
}
