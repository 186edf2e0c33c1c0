import type { Mount } from "#server/core/http/http.ts";
import { listPreviewPeople, previewRule } from "#server/enrolmentRules/preview.ts";
import { tryPast } from "#server/enrolmentRules/past.ts";
import { getRule, listRules } from "#server/enrolmentRules/ruleRows.ts";
import { createRule, removeRule, setRuleState, undoRun, updateRule } from "#server/enrolmentRules/service.ts";
import { canManageRules, enrolmentRules } from "#shared/enrolmentRules/enrolmentRules.ts";

export function enrolmentRuleRoutes(on: Mount) {
  on(enrolmentRules.list, canManageRules, (call) => listRules(call, call.query));
  on(enrolmentRules.create, canManageRules, (call) => createRule(call, call.body));
  on(enrolmentRules.preview, canManageRules, (call) => previewRule(call, call.body));
  on(enrolmentRules.previewPeople, canManageRules, (call) => listPreviewPeople(call, call.body));
  on(enrolmentRules.past, canManageRules, (call) => tryPast(call, call.body));
  on(enrolmentRules.get, canManageRules, (call) => getRule(call, call.params.id));
  on(enrolmentRules.update, canManageRules, (call) => updateRule(call, call.params.id, call.body));
  on(enrolmentRules.setState, canManageRules, (call) => setRuleState(call, call.params.id, call.body));
  on(enrolmentRules.undo, canManageRules, (call) => undoRun(call, call.params.id));
  on(enrolmentRules.remove, canManageRules, (call) => removeRule(call, call.params.id));
}
