import { applyChange, undoChange } from "#server/completionRules/orders.ts";
import { createChange, getChange, listChoices, listRows } from "#server/completionRules/service.ts";
import type { Mount } from "#server/core/http/http.ts";
import { canChangeRules, completionRules } from "#shared/completionRules/ruleChanges.ts";

export function completionRuleRoutes(on: Mount) {
  on(completionRules.choices, canChangeRules, (call) => listChoices(call, call.params.id));
  on(completionRules.create, canChangeRules, (call) => createChange(call, call.params.id, call.body));
  on(completionRules.get, canChangeRules, (call) => getChange(call, call.params.id));
  on(completionRules.rows, canChangeRules, (call) => listRows(call, call.params.id, call.query));
  on(completionRules.apply, canChangeRules, (call) => applyChange(call, call.params.id, call.body));
  on(completionRules.undo, canChangeRules, (call) => undoChange(call, call.params.id));
}
