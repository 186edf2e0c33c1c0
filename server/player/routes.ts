import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Mount } from "#server/core/http/http.ts";
import { notFound, Problem } from "#server/core/http/problem.ts";
import { launchActivity } from "#server/player/activities/launches.ts";
import type { Committer } from "#server/player/commit.ts";
import { launchCourse } from "#server/player/launch.ts";
import { readLesson } from "#server/player/lesson.ts";
import { allowMore, listQuizzes } from "#server/player/quizzes/service.ts";
import { canCommit, canLaunch, player, SESSION_HEADER } from "#shared/player/player.ts";
import { canManageQuizzes, quizzes } from "#shared/player/quizzes.ts";

export function playerRoutes(on: Mount, { committer }: { committer: Committer }) {
  on(player.launch, canLaunch, (call, { request }) =>
    launchCourse(call, call.params, call.body, request.headers["user-agent"] ?? ""),
  );
  const authorise = (request: FastifyRequest) => committer.authorise(sessionIdOf(request), sessionTokenOf(request));
  on(player.lesson, canCommit, (call) => readLesson(call, call.params.id, call.params.sco), {
    // A session that is not theirs does not exist.
    authorise: async (request) => {
      await authorise(request).catch((error: unknown) => {
        throw error instanceof Problem && error.status === 401 ? notFound() : error;
      });
    },
  });
  on(player.launchActivity, canCommit, (call) => launchActivity(call, call.params.id, call.body.sco), { authorise });
  on(quizzes.list, canManageQuizzes, (call) => listQuizzes(call, call.params.id));
  on(quizzes.allow, canManageQuizzes, (call) => allowMore(call, call.params.id, call.body));
  on(
    player.commit,
    canCommit,
    (call, { request }) => committer.commit(call.params.id, sessionTokenOf(request), call.body),
    { authorise },
  );
}

/** The session in the path of a commit; 404 if it is not an id. */
export function sessionIdOf({ params }: FastifyRequest) {
  const id = z.object({ id: z.uuid() }).safeParse(params);
  if (!id.success) throw notFound();
  return id.data.id;
}

/** The token of a session: a header, or a query field of a closing page, which cannot set headers. Empty if missing. */
export const sessionTokenOf = ({ headers, query }: FastifyRequest) =>
  String(headers[SESSION_HEADER] ?? (query as { token?: string }).token ?? "");
