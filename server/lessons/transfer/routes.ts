import type { Mount } from "#server/core/http/http.ts";
import { exportCourse, planExport } from "#server/lessons/transfer/exporting.ts";
import { importLessons, planImport } from "#server/lessons/transfer/importing.ts";
import { canWriteCourses } from "#shared/lessons/drafts.ts";
import { transfer } from "#shared/lessons/transfer/transfer.ts";

export function transferRoutes(on: Mount) {
  on(transfer.exportPlan, canWriteCourses, (call) => planExport(call, call.params.id, call.query));
  on(transfer.export, canWriteCourses, (call) => exportCourse(call, call.params.id, call.query));
  on(transfer.importPlan, canWriteCourses, (call) => planImport(call, call.params.id, call.body));
  on(transfer.import, canWriteCourses, (call) => importLessons(call, call.params.id, call.body));
}
