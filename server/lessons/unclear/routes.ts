import type { Mount } from "#server/core/http/http.ts";
import { dealWithUnclear, listUnclear } from "#server/lessons/unclear/service.ts";
import { canWriteCourses } from "#shared/lessons/drafts.ts";
import { unclearMarks } from "#shared/lessons/unclear/unclearMarks.ts";

export function unclearRoutes(on: Mount) {
  on(unclearMarks.list, canWriteCourses, (call) => listUnclear(call, call.params.id, call.query));
  on(unclearMarks.deal, canWriteCourses, (call) => dealWithUnclear(call, call.params.id, call.body));
}
