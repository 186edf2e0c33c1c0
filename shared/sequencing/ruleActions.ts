import type { EngineActivity } from "#shared/sequencing/engineState.ts";

type Rules = { evaluatePreConditionRules: (activity: EngineActivity) => string | null };

/** What the rules before an activity say now: `skip`, `disabled`, `hiddenFromChoice` or `stopForwardTraversal`. */
export const actionBefore = (activity: EngineActivity) =>
  (activity.sequencingRules as Rules).evaluatePreConditionRules(activity);
