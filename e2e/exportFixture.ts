import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { unzipSync } from "fflate";
import { nodesToUpdate } from "#server/lessons/drafts/yNodes.ts";
import { auth } from "#shared/auth/auth.ts";
import { courses } from "#shared/courses/courses.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { documentToNodes } from "#shared/lessons/editing/documentToNodes.ts";
import type { LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { listMedia } from "#shared/lessons/walk.ts";
import { ADMIN } from "#test/process.ts";
import type { ServerFixture } from "./server.ts";

/** Writes lessons as an author would, publishes them for the app's company, and returns their course. */
export async function writeCourse(app: ServerFixture, course: LessonCourse, { title = "Working at height" } = {}) {
  const { call } = app.admin;
  app.admin.useToken((await call(auth.signIn, { body: ADMIN })).token);
  const draft = await call(drafts.create, { body: { title, language: "en" } });
  const params = { id: draft.id };
  const [module] = draft.modules;
  const ids = new Map<string, string>();
  for (const [at, lesson] of course.modules.flatMap(({ lessons }) => lessons).entries()) {
    if (!("document" in lesson)) continue;
    const id = randomUUID();
    ids.set(lesson.id, id);
    const { document } = lesson;
    await call(drafts.change, {
      params,
      body: { kind: "addLesson", id, title: lesson.title, moduleId: module!.id, at: at + 1 },
    });
    const update = Buffer.from(nodesToUpdate(documentToNodes(document))).toString("base64");
    await call(drafts.write, { params: { id }, body: { key: randomUUID(), update } });
    for (const fileId of listMedia(document)) {
      const [file] = await app.query<{ path: string }>("select full_path as path from files where id = $1", [fileId]);
      if (file) await call(drafts.addFile, { params: { id }, body: { path: file.path, name: "file" } });
    }
    if (!document.quiz) continue;
    const { pools, ...settings } = document.quiz;
    await call(drafts.change, { params, body: { kind: "changeQuiz", id, settings } });
    for (const pool of pools) await call(drafts.change, { params, body: { kind: "setPool", id, pool } });
  }
  await call(drafts.change, { params, body: { kind: "removeLesson", id: module!.lessons[0]!.id } });
  await call(drafts.publish, { params });
  await call(courses.assign, { params, body: { companyIds: [app.company.id] } });
  return { id: draft.id, title, ids, launch: `${app.url}/launch/${app.company.id}/${draft.id}` };
}

/** Exports a course over HTTP. */
export async function exportCourse(app: ServerFixture, id: string, query: Record<string, string>) {
  const { token } = await app.admin.call(auth.signIn, { body: ADMIN });
  const reply = await fetch(`${app.url}/api/course-drafts/${id}/export?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!reply.ok) throw new Error(await reply.text());
  return new Uint8Array(await reply.arrayBuffer());
}

/** The files of a package in a folder. */
export async function unpack(bytes: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "exported-"));
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Serves a folder as any web server would; returns its address. */
export async function serve(folder: string) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "", "http://localhost").pathname));
    readFile(join(folder, path)).then(
      (content) => response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
