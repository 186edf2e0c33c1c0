import type { Db } from "#server/core/database/db.ts";
import type { CapturedValue } from "#server/variables/content/capture.ts";
import { readCourseVariables } from "#server/variables/content/courseVariables.ts";
import { readCurrentValues } from "#server/variables/currentValues.ts";
import { type Origin, subjectOf } from "#server/variables/subjects.ts";
import { variablesOfRule } from "#shared/courses/completion.ts";
import type { CompletionRule } from "#shared/courses/completionRules.ts";
import { type FoldedValue, foldValue, type VariableValue, type WriteMode } from "#shared/variables/variableTypes.ts";

/** The variables that a completion rule asks for, by their keys in the course, with what the learner has. */
export type RuleValues = Map<string, RuleValue>;
type RuleValue = { id: string; writeMode: WriteMode; defaultValue: VariableValue; folded: FoldedValue | null };

export const valueOfRule = (values: RuleValues | undefined, key: string): VariableValue => {
  const found = values?.get(key);
  return found?.folded?.current ?? found?.defaultValue ?? null;
};

/** Empty for a rule that asks for no variable. */
export async function readRuleValues(
  db: Db,
  rule: CompletionRule,
  origin: Origin & { courseId: string },
): Promise<RuleValues> {
  const keys = variablesOfRule(rule);
  if (keys.length === 0) return new Map();
  const declared = await readCourseVariables(db, origin.courseId);
  const asked = keys.flatMap((key) => declared.get(key) ?? []);
  const subjects = asked.flatMap(({ id, scope }): [string, string][] => {
    const subject = subjectOf(scope, origin);
    return subject === null ? [] : [[id, subject]];
  });
  const current = await readCurrentValues(db, new Map(subjects));
  return new Map(
    asked.map(({ key, id, writeMode, defaultValue }) => [
      key,
      { id, writeMode, defaultValue, folded: current.get(id) ?? null },
    ]),
  );
}

/** The same after values that a commit sets; `startedAt` is the start of its session. */
export const withCaptured = (before: RuleValues, values: CapturedValue[], startedAt: string): RuleValues =>
  new Map(
    [...before].map(([key, one]) => {
      const added = values.filter(({ variableId, refusal }) => variableId === one.id && refusal === null);
      const folded = added.reduce<FoldedValue | null>(
        (result, { seq, t, value }) =>
          foldValue(one.writeMode, result, { id: seq, at: Date.parse(startedAt) + t, value }),
        one.folded,
      );
      return [key, { ...one, folded }];
    }),
  );
