import { badField } from "#server/core/http/problem.ts";
import type { VariableInput } from "#shared/variables/variables.ts";
import { parseVariableValue } from "#shared/variables/valueRules.ts";
import { type VariableType, type WriteMode } from "#shared/variables/variableTypes.ts";

const measured: VariableType[] = ["number", "duration"];
const ordered: VariableType[] = [...measured, "date"];
const typesOfMode: Record<WriteMode, VariableType[] | null> = {
  last: null,
  first: null,
  max: ordered,
  min: ordered,
  sum: measured,
};

type Rules = Pick<
  VariableInput,
  | "type"
  | "constraints"
  | "writeMode"
  | "defaultValue"
  | "leaderboard"
  | "scope"
  | "privacy"
  | "learnerEditable"
  | "learnerVisible"
>;

/** Throws 422 for a field that contradicts another one, which the contract cannot check. */
export function checkDefinition({ type, constraints, writeMode, defaultValue, leaderboard, scope, ...rules }: Rules) {
  const modeTypes = typesOfMode[writeMode];
  if (modeTypes && !modeTypes.includes(type)) throw badField("writeMode", "variables.modeNotForType");
  const { min, max, step, maxLength, options } = constraints;
  const isMeasured = measured.includes(type);
  if (!isMeasured && [min, max, step].some((limit) => limit !== undefined))
    throw badField("constraints.min", "variables.limitNotForType");
  if (type !== "text" && maxLength !== undefined) throw badField("constraints.maxLength", "variables.limitNotForType");
  const hasOptions = type === "choice" || type === "multi";
  if (!hasOptions && options) throw badField("constraints.options", "variables.limitNotForType");
  if (leaderboard && (!isMeasured || scope === "company"))
    throw badField("leaderboard", "variables.leaderboardNotForType");
  if (leaderboard && rules.privacy === "sensitive") throw badField("leaderboard", "variables.leaderboardSensitive");
  if (rules.learnerEditable && !rules.learnerVisible) throw badField("learnerEditable", "variables.editableNotVisible");
  if (defaultValue !== null && parseVariableValue({ type, constraints }, defaultValue).refusal)
    throw badField("defaultValue", "variables.badDefault");
}
