import type { Db } from "#server/core/database/db.ts";
import { learners } from "#shared/learners/learners.ts";
import type { Launch } from "#shared/player/player.ts";
import { filesOf } from "#test/activityPackages.ts";
import { committer } from "#test/commits.ts";
import type { Entry } from "#test/packages.ts";
import type { start } from "#test/start.ts";

type Server = Awaited<ReturnType<typeof start>>;

/** A company with a learner whose course is a package that reports by statements. */
export async function room(server: Server, entries: Entry[]) {
  const { as, db, make } = server;
  const at = await make.classroom(filesOf(entries));
  const send = committer(as);
  return {
    ...at,
    db,
    send,
    launch: (options: Parameters<typeof make.launch>[3] = {}) =>
      make.launch(at.learner, at.company.id, at.course.id, options),
    /** The state of the attempt, as the page learns it from a receipt. */
    progress: async (session: Launch) => (await send(session, {})).body.attempt,
    suspend: () => as(at.admin)(learners.suspend, { body: { ids: [at.learner.user.id] } }),
  };
}

export const enrolmentOf = ({ db, learner, course }: Awaited<ReturnType<typeof room>>) =>
  db
    .selectFrom("enrolments")
    .where("userId", "=", learner.user.id)
    .where("courseId", "=", course.id)
    .select(["status", "success", "scorePercent"])
    .executeTakeFirst();

/** What was said in an attempt, by the last words of its verbs. */
export async function listSaid(db: Db, attemptId: string) {
  const rows = await db
    .selectFrom("statements")
    .where("attemptId", "=", attemptId)
    .orderBy("position")
    .select(["verb", "statement"])
    .execute();
  return rows.map(({ verb, statement }) => ({ verb: verb.split("/").at(-1), statement }));
}
