import { randomUUID } from "node:crypto";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { courses } from "#shared/courses/courses.ts";
import { OBJECTS_PATH } from "#shared/files/files.ts";
import type { LessonCourse } from "#shared/lessons/lessonDocument.ts";
import { type Launch, player, SESSION_HEADER } from "#shared/player/player.ts";
import { multipart } from "#test/client.ts";
import { insertCourse } from "#test/lessons.ts";
import type { Person, start } from "#test/start.ts";

type Server = Pick<Awaited<ReturnType<typeof start>>, "as" | "make" | "services">;

/** A company whose learner has the course. */
export async function lessonRoom(server: Server, course: LessonCourse, rule?: CompletionRule) {
  const { make, as } = server;
  const admin = await make.admin();
  const company = await make.company(admin);
  const learner = await make.learner(company.accessCode);
  const courseId = await insertCourse(server.services.db, admin.user, course, rule ? { rule } : {});
  const { version } = (await as(admin)(courses.get, { params: { id: courseId } })).body;
  await as(admin)(courses.setStatus, { params: { id: courseId }, body: { status: "published", version } });
  await as(admin)(courses.assign, { params: { id: courseId }, body: { companyIds: [company.id] } });
  const launch = (input: Parameters<typeof make.launch>[3] = {}) =>
    make.launch(learner, company.id, courseId, { clientId: "one-window", ...input });
  return { admin, company, learner, courseId, launch };
}

export const getLesson = ({ as }: Pick<Server, "as">, launch: Pick<Launch, "sessionId" | "token">, sco: string) =>
  as(null, { [SESSION_HEADER]: launch.token })(player.lesson, { params: { id: launch.sessionId, sco } });

/** Stores a file of a lesson; returns its id. */
export async function uploadMedia(
  { app, services }: Pick<Awaited<ReturnType<typeof start>>, "app" | "services">,
  author: Person,
  name: string,
  type: string,
  bytes: Uint8Array,
) {
  const path = `lessons/${randomUUID()}/${name}`;
  const sent = multipart({ contentType: type, metadata: { purpose: "lesson" } }, bytes);
  const reply = await app.inject({
    method: "POST",
    url: `${OBJECTS_PATH}?name=${encodeURIComponent(path)}`,
    headers: { ...sent.headers, authorization: `Bearer ${author.token}` },
    payload: sent.body,
  });
  if (reply.statusCode !== 200) throw new Error(`upload of ${name}: ${reply.statusCode} ${reply.body}`);
  const { id } = await services.db
    .selectFrom("files")
    .where("fullPath", "=", path)
    .select("id")
    .executeTakeFirstOrThrow();
  return id;
}
