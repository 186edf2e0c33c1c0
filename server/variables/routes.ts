import type { Mount } from "#server/core/http/http.ts";
import { readVariable } from "#server/variables/definitionRows.ts";
import { getLeaderboard } from "#server/variables/leaderboard.ts";
import { listNewKeys } from "#server/variables/newKeys.ts";
import { listSentValues } from "#server/variables/sentValues.ts";
import {
  createVariable,
  defineKey,
  ignoreKeys,
  listVariables,
  mergeVariables,
  setVariableStatus,
  updateVariable,
} from "#server/variables/service.ts";
import { getStatistics, listCompanyValues } from "#server/variables/statistics.ts";
import { listSubjectValues } from "#server/variables/subjectValues.ts";
import { previewTemplate } from "#server/variables/templates.ts";
import { receiveValues } from "#server/variables/receivedValues.ts";
import { canManageVariables, canMergeVariables, variables } from "#shared/variables/variables.ts";

export function variableRoutes(on: Mount) {
  on(variables.list, canManageVariables, (call) => listVariables(call, call.query));
  on(variables.get, canManageVariables, (call) => readVariable(call, call.params.id));
  on(variables.statistics, canManageVariables, (call) => getStatistics(call, call.params.id, call.query));
  on(variables.companies, canManageVariables, (call) => listCompanyValues(call, call.params.id, call.query));
  on(variables.values, canManageVariables, (call) => listSubjectValues(call, call.params.id, call.query));
  on(variables.leaderboard, canManageVariables, (call) => getLeaderboard(call, call.params.id, call.query));
  on(variables.create, canManageVariables, (call) => createVariable(call, call.body));
  on(variables.update, canManageVariables, (call) => updateVariable(call, call.params.id, call.body));
  on(variables.archive, canManageVariables, (call) => setVariableStatus(call, call.params.id, "archived"));
  on(variables.restore, canManageVariables, (call) => setVariableStatus(call, call.params.id, "active"));
  on(variables.merge, canMergeVariables, (call) => mergeVariables(call, call.params.id, call.body.otherId));
  on(variables.sentValues, canManageVariables, (call) => listSentValues(call, call.query.courseId));
  on(variables.preview, canManageVariables, (call) => previewTemplate(call, call.body));
  on(variables.sendValues, canManageVariables, (call) => receiveValues(call, call.body));
  on(variables.newKeys, canManageVariables, (call) => listNewKeys(call, call.query));
  on(variables.defineKey, canManageVariables, (call) => defineKey(call, call.params.id, call.body));
  on(variables.ignoreKeys, canManageVariables, (call) => ignoreKeys(call, call.body.ids));
}
