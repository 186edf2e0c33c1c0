import { reopenCompletion, restartCourse, setComplete } from "#server/completions/decisions.ts";
import { getCompletion, getOwnCompletion, getTeamCompletion } from "#server/completions/service.ts";
import { undoDecision } from "#server/completions/undoing.ts";
import type { Mount } from "#server/core/http/http.ts";
import {
  canDecideCompletions,
  canReadCompletions,
  canReadOwnCompletion,
  canReadTeamCompletions,
  completions,
} from "#shared/completions/completions.ts";

export function completionRoutes(on: Mount) {
  on(completions.get, canReadCompletions, (call) => getCompletion(call, call.params.id));
  on(completions.mine, canReadOwnCompletion, (call) => getOwnCompletion(call, call.params.id));
  on(completions.ofTeam, canReadTeamCompletions, (call) => getTeamCompletion(call, call.params.id));
  on(completions.set, canDecideCompletions, (call) => setComplete(call, call.params.id, call.body));
  on(completions.reopen, canDecideCompletions, (call) => reopenCompletion(call, call.params.id, call.body));
  on(completions.restart, canDecideCompletions, (call) => restartCourse(call, call.params.id, call.body));
  on(completions.undo, canDecideCompletions, (call) => undoDecision(call, call.params.id));
}
