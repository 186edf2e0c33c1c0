import type { Mount } from "#server/core/http/http.ts";
import { createFlow, listFlows, removeFlow, tryFlow, updateFlow } from "#server/flows/service.ts";
import { canChangeFlows, canManageFlows, canUpdateFlows, flows } from "#shared/flows/flows.ts";

export function flowRoutes(on: Mount) {
  on(flows.list, canManageFlows, (call) => listFlows(call, call.query));
  on(flows.create, canChangeFlows, (call) => createFlow(call, call.body));
  on(flows.update, canUpdateFlows, (call) => updateFlow(call, call.params.id, call.body));
  on(flows.remove, canManageFlows, (call) => removeFlow(call, call.params.id));
  on(flows.try, canManageFlows, (call) => tryFlow(call, call.body));
}
