import type { Mount } from "#server/core/http/http.ts";
import { sendMeasures } from "#server/measures/pdf.ts";
import { chooseMeasures, listVersions, markSeen, readMeasures, readOwnMeasures } from "#server/measures/service.ts";
import { canManageMeasures, canReadOwnMeasures, measures } from "#shared/measures/measures.ts";

export function measureRoutes(on: Mount) {
  on(measures.get, canManageMeasures, (call) => readMeasures(call, call.params.id));
  on(measures.versions, canManageMeasures, (call) => listVersions(call, call.params.id, call.query));
  on(measures.update, canManageMeasures, (call) => chooseMeasures(call, call.params.id, call.body));
  on(measures.pdf, canManageMeasures, (call) => sendMeasures(call, call.params.id, call.query.version));
  on(measures.mine, canReadOwnMeasures, (call) => readOwnMeasures(call));
  on(measures.markSeen, canReadOwnMeasures, (call) => markSeen(call, call.body));
}
