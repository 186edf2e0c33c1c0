import { randomUUID } from "node:crypto";
import { courses } from "#shared/courses/courses.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import { drafts } from "#shared/lessons/drafts.ts";
import { player } from "#shared/player/player.ts";
import { multipart } from "#test/client.ts";
import { packageOf } from "#test/samplePackage.ts";
import type { Person, start } from "#test/start.ts";

// A course that is written here with a package after its first lesson, for tests

type Server = Pick<Awaited<ReturnType<typeof start>>, "app" | "as" | "make">;

/** Stores the ZIP of a package as a file; returns its path. */
export async function storePackage({ app }: Pick<Server, "app">, author: Person, files?: Record<string, string>) {
  const path = `courses/${randomUUID()}/package.zip`;
  const { headers, body } = multipart({ metadata: { purpose: "course" } }, packageOf(files));
  const stored = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    payload: body,
    headers: { authorization: `Bearer ${author.token}`, ...headers },
  });
  if (stored.statusCode !== 200) throw new Error(`upload: ${stored.statusCode} ${stored.body}`);
  return path;
}

/** A draft with an empty lesson and a package after it. */
export async function mixedDraft(server: Server, admin: Person, files?: Record<string, string>) {
  const call = server.as(admin);
  const { body: draft } = await call(drafts.create, { body: { title: "Mixed", language: "en" } });
  const params = { id: draft.id };
  const path = await storePackage(server, admin, files);
  const { body: added } = await call(drafts.importPackage, { params, body: { path, name: "ladder.zip" } });
  const entryId = randomUUID();
  const moduleId = draft.modules[0]!.id;
  const change = { kind: "addPackage" as const, id: entryId, title: "The ladder", moduleId, at: 1 };
  await call(drafts.change, { params, body: { ...change, packageId: added.id } });
  return { courseId: draft.id, params, moduleId, lessonId: draft.modules[0]!.lessons[0]!.id, entryId, added, path };
}

/** The same, published and assigned to the learner of a company. */
export async function mixedRoom(server: Server, files?: Record<string, string>) {
  const admin = await server.make.admin();
  const company = await server.make.company(admin);
  const learner = await server.make.learner(company.accessCode);
  const draft = await mixedDraft(server, admin, files);
  const call = server.as(admin);
  await call(drafts.publish, { params: draft.params });
  await call(courses.assign, { params: draft.params, body: { companyIds: [company.id] } });
  const launch = async (clientId = "one-window") =>
    (
      await server.as(learner)(player.launch, {
        params: { companyId: company.id, courseId: draft.courseId },
        body: { clientId },
      })
    ).body;
  return { ...draft, admin, company, learner, launch };
}
