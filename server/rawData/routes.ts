import type { Mount } from "#server/core/http/http.ts";
import { correctValue } from "#server/rawData/corrections.ts";
import { deleteValue, deleteValues, listDeletions, previewDeletion, restoreValues } from "#server/rawData/deletions.ts";
import { correctOwnValue, listOwnValues } from "#server/rawData/ownValues.ts";
import { exportValues } from "#server/rawData/valueExport.ts";
import { listAttemptValues, listRawValues, readValueHistory } from "#server/rawData/service.ts";
import { canReadRawData, rawData } from "#shared/rawData/rawData.ts";
import { isSignedIn } from "#shared/core/users.ts";
import { canManageVariables } from "#shared/variables/variables.ts";

export function rawDataRoutes(on: Mount) {
  on(rawData.list, canReadRawData, (call) => listRawValues(call, call.query));
  on(rawData.export, canReadRawData, (call) => exportValues(call, call.query));
  on(rawData.attempts, canReadRawData, (call) => listAttemptValues(call, call.query));
  on(rawData.history, canReadRawData, (call) => readValueHistory(call, call.query));
  on(rawData.correct, canManageVariables, (call) => correctValue(call, call.params.valueId, call.body));
  on(rawData.mine, isSignedIn, (call) => listOwnValues(call, call.query.courseId));
  on(rawData.correctMine, isSignedIn, (call) => correctOwnValue(call, call.params.variableId, call.body));
  on(rawData.removeValue, canManageVariables, (call) => deleteValue(call, call.params.valueId));
  on(rawData.previewDeletion, canManageVariables, (call) => previewDeletion(call, call.body));
  on(rawData.remove, canManageVariables, (call) => deleteValues(call, call.body));
  on(rawData.listDeletions, canManageVariables, (call) => listDeletions(call, call.query));
  on(rawData.restore, canManageVariables, (call) => restoreValues(call, call.params.id));
}
