import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Mount } from "#server/core/http/http.ts";
import { notFound } from "#server/core/http/problem.ts";
import type { Committer } from "#server/player/commit.ts";
import { launchCourse } from "#server/player/launch.ts";
import { canCommit, canLaunch, player, SESSION_HEADER } from "#shared/player/player.ts";

export function playerRoutes(on: Mount, { committer }: { committer: Committer }) {
  on(player.launch, canLaunch, (call, { request }) =>
    launchCourse(call, call.params, call.body, request.headers["user-agent"] ?? ""),
  );
  on(
    player.commit,
    canCommit,
    (call, { request }) => committer.commit(call.params.id, sessionTokenOf(request), call.body),
    {
      authorise: (request) => committer.authorise(sessionIdOf(request), sessionTokenOf(request)),
    },
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
