import type { EngineActivity } from "#shared/sequencing/engineState.ts";

// The check of a rollup rule with conditions that may be unknown (SN RB.1.4; RU-05, RU-10, RU-12): the engine takes
// what is unknown for false, and its opposite for true.

type Known = boolean | null;
type Condition = { condition: string; operator: string; evaluate: (activity: EngineActivity) => boolean };
export type RollupRule = {
  action: "satisfied" | "notSatisfied" | "completed" | "incomplete";
  conditions: Condition[];
  conditionCombination: "all" | "any";
  consideration: "all" | "any" | "none" | "atLeastCount" | "atLeastPercent";
  minimumCount: number;
  /** From 0 to 100. */
  minimumPercent: number;
};
export type ChildFilter = {
  checkChildForRollupSubprocess: (child: EngineActivity, kind: "objective" | "progress", action: string) => boolean;
};

function evaluate(child: EngineActivity, condition: Condition): Known {
  const isSatisfiedUnknown =
    child._objectiveInfoAvailableInCurrentParentAttempt === false || child.objectiveSatisfiedStatusKnown !== true;
  const isCompletedUnknown =
    child._progressInfoAvailableInCurrentParentAttempt === false ||
    !["completed", "incomplete"].includes(String(child.completionStatus));
  if (condition.condition === "satisfied" && isSatisfiedUnknown) return null;
  if (condition.condition === "completed" && isCompletedUnknown) return null;
  return condition.evaluate(child);
}

function combine(values: Known[], combination: "all" | "any"): Known {
  const decides = combination === "any";
  if (values.includes(decides)) return decides;
  return values.includes(null) ? null : !decides;
}

export function checkRollupRule(filter: ChildFilter, children: EngineActivity[], rule: RollupRule): boolean {
  const kind = rule.action === "satisfied" || rule.action === "notSatisfied" ? "objective" : "progress";
  const values = children
    .filter((child) => filter.checkChildForRollupSubprocess(child, kind, rule.action))
    .map((child) =>
      combine(
        rule.conditions.map((condition) => evaluate(child, condition)),
        rule.conditionCombination,
      ),
    );
  const count = values.filter((value) => value === true).length;
  if (rule.consideration === "any") return count > 0;
  if (rule.consideration === "none") return values.length > 0 && values.every((value) => value === false);
  if (rule.consideration === "atLeastCount") return count >= rule.minimumCount;
  if (rule.consideration === "atLeastPercent")
    return values.length > 0 && (count / values.length) * 100 >= rule.minimumPercent;
  return values.length > 0 && count === values.length;
}
