import { randomUUID } from "node:crypto";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { LessonBlock } from "#shared/lessons/blocks.ts";
import { multipart } from "#test/client.ts";
import { ADMIN } from "#test/process.ts";
import type { ServerFixture } from "./server.ts";

type Entry = { title: string } & ({ blocks: LessonBlock[] } | { bytes: Uint8Array });

/** Writes a course of lessons and packages, and publishes it for the app's company. */
export async function addMixedCourse(app: ServerFixture, entries: Entry[]) {
  const { call } = app.admin;
  const { token } = await call(auth.signIn, { body: ADMIN });
  app.admin.useToken(token);
  const draft = await call(drafts.create, { body: { title: "Ladders", language: "en" } });
  const params = { id: draft.id };
  const module = draft.modules[0]!;
  const ids: string[] = [];
  for (const [at, entry] of entries.entries()) {
    const change = { id: randomUUID(), title: entry.title, moduleId: module.id, at };
    ids.push(change.id);
    if ("blocks" in entry) {
      await call(drafts.change, { params, body: { kind: "addLesson", ...change } });
      const nodes = documentToNodes({ schema: 1, language: "en", blocks: entry.blocks });
      const update = Buffer.from(nodesToUpdate(nodes)).toString("base64");
      await call(drafts.write, { params: { id: change.id }, body: { key: randomUUID(), update } });
    } else {
      const path = `courses/${randomUUID()}/package.zip`;
      const sent = multipart({ metadata: { purpose: "course" } }, entry.bytes);
      const reply = await fetch(`${app.url}${OBJECTS_PATH}?name=${encodeURIComponent(path)}`, {
        method: "POST",
        headers: { ...(sent.headers as Record<string, string>), authorization: `Bearer ${token}` },
        body: new Uint8Array(sent.body),
      });
      if (!reply.ok) throw new Error(await reply.text());
      const { id } = await call(drafts.importPackage, { params, body: { path, name: `${entry.title}.zip` } });
      await call(drafts.change, { params, body: { kind: "addPackage", ...change, packageId: id } });
    }
  }
  await call(drafts.change, { params, body: { kind: "removeLesson", id: module.lessons[0]!.id } });
  await call(drafts.publish, { params });
  await call(courses.assign, { params, body: { companyIds: [app.company.id] } });
  return { id: draft.id, title: "Ladders", ids, launch: `${app.url}/launch/${app.company.id}/${draft.id}` };
}
