import type { Mount } from "#server/core/http.ts";
import type { Committer } from "#server/player/commit.ts";
import { launchCourse } from "#server/player/launch.ts";
import { canCommit, canLaunch, player, SESSION_HEADER } from "#shared/player.ts";

export function playerRoutes(on: Mount, { commit }: { commit: Committer }) {
  on(player.launch, canLaunch, (call, { request }) =>
    launchCourse(call, call.params, call.body, request.headers["user-agent"] ?? ""),
  );
  on(player.commit, canCommit, (call, { request }) =>
    commit(call.params.id, String(request.headers[SESSION_HEADER] ?? ""), call.body),
  );
}
