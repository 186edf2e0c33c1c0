import type { Mount } from "#server/core/http/http.ts";
import { listLearners } from "#server/paths/learners.ts";
import { getMyPath, listMyPaths } from "#server/paths/myPaths.ts";
import { getPath, listPaths } from "#server/paths/pathRows.ts";
import { assignPath, previewAssign, withdrawPeople } from "#server/paths/people.ts";
import { previewPublish, publishPath } from "#server/paths/publishing.ts";
import { createPath, setArchived, updatePath } from "#server/paths/service.ts";
import { isSignedIn } from "#shared/core/users.ts";
import { canManagePaths, paths } from "#shared/paths/paths.ts";

export function pathRoutes(on: Mount) {
  on(paths.list, canManagePaths, (call) => listPaths(call, call.query));
  on(paths.create, canManagePaths, (call) => createPath(call, call.body));
  on(paths.get, canManagePaths, (call) => getPath(call, call.params.id));
  on(paths.update, canManagePaths, (call) => updatePath(call, call.params.id, call.body));
  on(paths.setArchived, canManagePaths, (call) => setArchived(call, call.params.id, call.body));
  on(paths.previewPublish, canManagePaths, (call) => previewPublish(call, call.params.id, call.body));
  on(paths.publish, canManagePaths, (call) => publishPath(call, call.params.id, call.body));
  on(paths.previewAssign, canManagePaths, (call) => previewAssign(call, call.params.id, call.body));
  on(paths.assign, canManagePaths, (call) => assignPath(call, call.params.id, call.body));
  on(paths.withdraw, canManagePaths, (call) => withdrawPeople(call, call.params.id, call.body));
  on(paths.learners, canManagePaths, (call) => listLearners(call, call.params.id, call.query));
  on(paths.mine, isSignedIn, (call) => listMyPaths(call));
  on(paths.mineOne, isSignedIn, (call) => getMyPath(call, call.params.id));
}
