import type { Mount } from "#server/core/http/http.ts";
import { compareLesson, compareVersions } from "#server/lessons/versions/comparing.ts";
import { getHistory } from "#server/lessons/versions/history.ts";
import { restoreVersion } from "#server/lessons/versions/restoring.ts";
import { undoRestore } from "#server/lessons/versions/undo.ts";
import { canWriteCourses } from "#shared/lessons/drafts.ts";
import { lessonVersions } from "#shared/lessons/versions/versions.ts";

export function versionRoutes(on: Mount) {
  on(lessonVersions.history, canWriteCourses, (call) => getHistory(call, call.params.id));
  on(lessonVersions.compare, canWriteCourses, (call) => compareVersions(call.db, call.params.id, call.query));
  on(lessonVersions.compareLesson, canWriteCourses, (call) => compareLesson(call, call.params.id, call.query));
  on(lessonVersions.restore, canWriteCourses, (call) => restoreVersion(call, call.params.id, call.body));
  on(lessonVersions.undo, canWriteCourses, (call) => undoRestore(call, call.params.id));
}
