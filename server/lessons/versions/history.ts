import type { Db } from "#server/core/database/db.ts";
import type { Ctx } from "#server/core/http/http.ts";
import { findDraft } from "#server/lessons/drafts/service.ts";
import { shownName } from "#server/lessons/names.ts";
import type { User } from "#shared/core/users.ts";
import type { CourseHistory, Writer } from "#shared/lessons/versions/versions.ts";

const MAX_VERSIONS = 200;
const MAX_WRITERS = 2000;
const MAX_RESTORES = 50;

/** The versions of a course, newest first: who published them, and who wrote for them. */
export async function getHistory({ db, user }: Ctx<User>, courseId: string): Promise<CourseHistory> {
  const { title, liveNumber } = await findDraft(db, courseId);
  const versions = await db
    .selectFrom("courseVersions")
    .leftJoin("users", "users.id", "courseVersions.createdBy")
    .where("courseId", "=", courseId)
    .orderBy("number", "desc")
    .limit(MAX_VERSIONS)
    .select(["number", "courseVersions.createdAt", shownName(user).as("by")])
    .execute();
  const writers = await db
    .selectFrom("courseWriters")
    .leftJoin("users", "users.id", "courseWriters.authorId")
    .where("courseId", "=", courseId)
    .orderBy("firstAt")
    .orderBy("courseWriters.id")
    .limit(MAX_WRITERS)
    .select(["number", "firstAt", "lastAt", shownName(user).as("name")])
    .execute();
  const { writersSince } = await db
    .selectFrom("courseDrafts")
    .where("courseId", "=", courseId)
    .select("writersSince")
    .executeTakeFirstOrThrow();
  const last = versions[0]?.number ?? 0;
  const writersOf = (isOf: (number: number) => boolean) =>
    writers
      .filter(({ number }) => isOf(number))
      .map(({ name, firstAt, lastAt }): Writer => ({ name, firstAt, lastAt }));
  return {
    title,
    versions: versions.map(({ number, createdAt, by }) => ({
      number,
      isLive: number === liveNumber,
      at: createdAt,
      by,
      writers: writersOf((one) => one === number),
    })),
    writers: writersOf((number) => number > last),
    writersSince,
    restores: await listRestores(db, user, courseId),
  };
}

async function listRestores(db: Db, user: User, courseId: string): Promise<CourseHistory["restores"]> {
  const rows = await db
    .selectFrom("lessonRestores")
    .leftJoin("users", "users.id", "lessonRestores.createdBy")
    .where("courseId", "=", courseId)
    .orderBy("lessonRestores.createdAt", "desc")
    .orderBy("lessonRestores.id")
    .limit(MAX_RESTORES)
    .select([
      "lessonRestores.id",
      "versionNumber as number",
      "scope",
      "title",
      "lessonRestores.createdAt",
      "undoneAt",
      shownName(user).as("by"),
    ])
    .execute();
  return rows.map(({ createdAt, undoneAt, ...restore }) => ({
    ...restore,
    at: createdAt,
    isUndone: undoneAt !== null,
  }));
}
