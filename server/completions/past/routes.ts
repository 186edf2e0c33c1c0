import { addPastCompletion, listPastCompletions, removePastCompletion } from "#server/completions/past/service.ts";
import type { Mount } from "#server/core/http/http.ts";
import { canRecordPastCompletions, pastCompletions } from "#shared/completions/pastCompletions.ts";

export function pastCompletionRoutes(on: Mount) {
  on(pastCompletions.list, canRecordPastCompletions, (call) => listPastCompletions(call, call.params.id));
  on(pastCompletions.add, canRecordPastCompletions, (call) => addPastCompletion(call, call.params.id, call.body));
  on(pastCompletions.remove, canRecordPastCompletions, (call) => removePastCompletion(call, call.params.id));
}
